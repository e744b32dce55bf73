import {
  compareBytes,
  encodeChange,
  findMember,
  fromUuid,
  noAccount,
  signChange,
  type Bytes,
  type Change,
  type LastRow,
} from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import { requireJoined } from '../work.ts';
import { lastRowOf } from './nextEpoch.ts';
import type { Prepared } from './prepare.ts';
import type { GroupChange } from './types.ts';

/** Changes of a group that this device signs (docs/encryption.md, section 4, Changes and evidence). */

type Changing = Pick<Prepared, 'context' | 'work' | 'conversation' | 'lists'>;

/** Last rows of a member's devices in the newest header. */
function lastRowsOf({ conversation }: Pick<Changing, 'conversation'>, account: Bytes): LastRow[] {
  const devices = findMember(conversation.head?.members ?? [], account)?.devices ?? [];
  return devices.map((one) => lastRowOf(conversation, one)).toSorted((a, b) => compareBytes(a.device, b.device));
}

function toChange(prepared: Changing, change: GroupChange): Change {
  const free = { evidence: null } as const;
  switch (change.kind) {
    case 'add': {
      const account = fromUuid(change.userId);
      const { chain } = prepared.lists(account);
      const list = chain && { n: chain.newest.list.n, hash: chain.newest.hash };
      return { type: 0, account, role: change.role ?? 0, list, ...free };
    }
    case 'remove': {
      const account = fromUuid(change.userId);
      return { type: 1, account, lastRows: lastRowsOf(prepared, account), ...free };
    }
    case 'role':
      return { type: 4, account: fromUuid(change.userId), role: change.role, ...free };
    case 'timer':
      return { type: 5, account: noAccount, setting: { field: 1, value: change.seconds }, ...free };
    case 'invite': {
      const value = change.key === null ? [] : [fromText(change.key)];
      return { type: 5, account: noAccount, setting: { field: 3, value }, ...free };
    }
    case 'admission':
      return { type: 5, account: noAccount, setting: { field: 0, value: change.isOpen ? 1 : 0 }, ...free };
  }
}

/** Signs a change with the newest header as ancestor. */
export async function signBareChange(prepared: Omit<Changing, 'lists'>, change: Change): Promise<Change> {
  const { context, work, conversation } = prepared;
  const { device } = requireJoined(work).ready;
  const ancestor = conversation.head?.hash;
  if (!ancestor) return change;
  const signer = { account: context.account, device: device.id, ancestor, at: context.now() };
  return { ...change, evidence: await signChange(device.signing, conversation.id, signer, change) };
}

/** Signs changes with the newest header as ancestor. */
export const signChanges = (prepared: Changing, changes: readonly GroupChange[]): Promise<Change[]> =>
  Promise.all(changes.map((one) => signBareChange(prepared, toChange(prepared, one))));

/** Signs additions of people, each as it goes with an invitation; none in a conversation without an epoch. */
export async function encodeAdditions(prepared: Changing, userIds: readonly string[]): Promise<string[]> {
  if (!prepared.conversation.head) return [];
  const additions = userIds.map((userId) => ({ kind: 'add', userId }) as const);
  return (await signChanges(prepared, additions)).map((one) => toText(encodeChange(one)));
}

/** Signs the own leave. Returns null in a conversation without an epoch. */
export async function signOwnLeave(prepared: Omit<Changing, 'lists'>): Promise<string | null> {
  const { context, conversation } = prepared;
  if (!conversation.head) return null;
  const { account } = context;
  const leave: Change = { type: 2, account, lastRows: lastRowsOf(prepared, account), evidence: null };
  return toText(encodeChange(await signBareChange(prepared, leave)));
}
