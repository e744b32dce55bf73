import { equalBytes, findDevice, fromUuid, toUuid, type Bytes, type CheckedEpoch, type Member } from '@nolo/e2ee';
import { listAt, type Chain } from '../chains.ts';
import { findAddition } from './additions.ts';
import type { ListsOf } from './accountLists.ts';
import { epochMs, lastsMs, type Addition } from './conversation.ts';
import { excludedOf, isOfChain } from './nextEpoch.ts';

/** When the next epoch starts (docs/encryption.md, section 4, When a new epoch starts). */

const hourMs = 3_600_000;

export interface DueParts {
  readonly head: Pick<CheckedEpoch, 'header' | 'members'>;
  /** Milliseconds since 1970 when the epoch began, by the server. */
  readonly startedAt: number;
  readonly lists: ListsOf;
  /** Accounts of all members as the server has them. */
  readonly memberIds: readonly string[];
  /** Signed additions of members whom no header has. */
  readonly additions: readonly Addition[];
  readonly own: { readonly account: Bytes; readonly device: Bytes };
  readonly now: number;
}

const sameKey = (a: Bytes | undefined, b: Bytes | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equalBytes(a, b));

/** Returns true if a list after another one takes a device away or replaces the recovery key. */
function takesAway(chain: Chain, n: number): boolean {
  const before = listAt(chain, n)?.list;
  const { list } = chain.newest;
  if (!before) return true;
  const isReplaced = before.recovery !== null && !sameKey(before.recovery.signKey, list.recovery?.signKey);
  return isReplaced || before.devices.some(({ id }) => !findDevice(list, id));
}

function isListDue({ lists, now, own }: DueParts, { account, list, devices }: Member): boolean {
  const { chain, other } = lists(account);
  if (!chain) return false;
  const isOld = now - chain.newest.list.at > hourMs;
  if (!list) return isOld;
  if (!isOfChain(chain, list)) return !isOfChain(other, list);
  if (list.n >= chain.newest.list.n) return false;
  const lacksSelf = equalBytes(account, own.account) && !devices.some((one) => equalBytes(one, own.device));
  return isOld || lacksSelf || takesAway(chain, list.n);
}

function isSuspensionDue({ head, lists, own }: DueParts, { account, list, devices }: Member): boolean {
  const found = lists(account);
  const isExcluded = excludedOf(found);
  if (devices.some((one) => isExcluded(one) && !equalBytes(one, own.device))) return true;
  const named = list && found.chain && isOfChain(found.chain, list) ? listAt(found.chain, list.n) : undefined;
  return head.header.leftOut.some(
    ({ device }) => named && findDevice(named.list, device) && (!isExcluded(device) || equalBytes(device, own.device)),
  );
}

/** Returns true if the next header can have other members: somebody is gone, or enters with evidence or by the code. */
function hasOtherMembers({ head, memberIds, additions }: DueParts): boolean {
  const [wanted, present] = [new Set(memberIds), new Set(head.members.map(({ account }) => toUuid(account)))];
  const mayEnter = (id: string): boolean =>
    head.header.admission === 1 || head.header.kind === 1 || findAddition(additions, fromUuid(id)) !== undefined;
  return [...present].some((id) => !wanted.has(id)) || [...wanted].some((id) => !present.has(id) && mayEnter(id));
}

/** Returns true if the next message needs another epoch than this one. */
export function isNextDue(parts: DueParts): boolean {
  const { head, startedAt, now } = parts;
  const { timer } = head.header;
  const age = now - startedAt;
  if (age >= epochMs || (timer > 0 && age >= lastsMs(timer)) || hasOtherMembers(parts)) return true;
  return head.members.some((one) => isListDue(parts, one) || isSuspensionDue(parts, one));
}
