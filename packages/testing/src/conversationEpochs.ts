import {
  applyChanges,
  changeTypes,
  checkFirstHeader,
  checkNextHeader,
  commitTo,
  compareBytes,
  compareChanges,
  createEpochSecret,
  devicesOf,
  encodeBox,
  encodeRoster,
  equalBytes,
  findDevice,
  fromUuid,
  hashOfRoster,
  noAccount,
  sealBox,
  signChange,
  signHeader,
  suiteFor,
  toUuid,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type CheckedList,
  type Header,
  type LastRow,
  type Role,
  type SigningKey,
} from '@nolo/e2ee';
import type { EpochBox } from '@nolo/proto/keys';
import { publicKeysOf, type TestEpoch } from './vaults.ts';

/** Epochs of conversations for tests, as a client makes them (docs/encryption.md, section 4). */

/** Member as the next epoch has them. */
export interface EpochPerson {
  readonly userId: string;
  readonly role: Role;
  /** Undefined for a member without keys. */
  readonly list: CheckedList | undefined;
}

/** Conversation as the next epoch has it. */
export interface EpochPlan {
  readonly conversationId: string;
  readonly kind: 1 | 2;
  readonly members: readonly EpochPerson[];
  readonly admission?: 0 | 1;
  readonly timer?: number;
  readonly reason?: Header['reason'];
  readonly leftOut?: readonly { readonly id: Bytes }[];
  /** Last rows of devices that go, by their hexadecimal ids; null by default. */
  readonly lastRow?: (device: Bytes) => Bytes | null;
  readonly before?: TestEpoch | undefined;
  /** Devices that get no box. */
  readonly withoutBox?: readonly { readonly uuid: string }[];
  /** Changes the header before it is signed. */
  readonly change?: (header: Header) => Header;
  readonly at?: number;
}

interface Committer {
  readonly account: Bytes;
  readonly id: Bytes;
  readonly key: SigningKey;
}

const referenceOf = (list: CheckedList | undefined) => (list ? { n: list.list.n, hash: list.hash } : null);

function memberChanges(
  { members, lastRow = () => null, before, kind }: EpochPlan,
  lists: readonly CheckedList[],
): Change[] {
  const was = before?.checked.members ?? [];
  const rowsOf = (devices: readonly Bytes[]): LastRow[] => devices.map((device) => ({ device, row: lastRow(device) }));
  const gone = was.filter(({ account }) => !members.some(({ userId }) => userId === toUuid(account)));
  const removals = gone.map(({ account, devices }): Change => {
    return { type: 1, account, lastRows: rowsOf(devices), evidence: null };
  });
  const changes = members.flatMap(({ userId, role, list }): Change[] => {
    const account = fromUuid(userId);
    const member = was.find((one) => equalBytes(one.account, account));
    if (!member) return [{ type: 0, account, role: kind === 1 ? 0 : role, list: referenceOf(list), evidence: null }];
    const found: Change[] = [];
    const isSame = list && member.list && equalBytes(member.list.hash, list.hash);
    if (list && !isSame) {
      const known = lists.find(({ hash }) => member.list && equalBytes(hash, member.list.hash));
      const type = !known || equalBytes(known.identity, list.identity) ? 3 : 6;
      const removed = member.devices.filter((device) => !findDevice(list.list, device));
      const reference = { n: list.list.n, hash: list.hash };
      found.push({ type, account, list: reference, lastRows: rowsOf(removed), evidence: null });
      if (type === 6) return found;
    }
    if (kind === 2 && member.role !== role) found.push({ type: 4, account, role, evidence: null });
    return found;
  });
  return [...removals, ...changes];
}

function settingChanges({ admission = 0, timer = 0, before }: EpochPlan): Change[] {
  const was = before?.checked.header ?? { admission: 0, timer: 0 };
  const common = { type: 5, account: noAccount, evidence: null } as const;
  return [
    ...(admission === was.admission ? [] : [{ ...common, setting: { field: 0, value: admission } } as const]),
    ...(timer === was.timer ? [] : [{ ...common, setting: { field: 1, value: timer } } as const]),
  ];
}

const needEvidence: readonly number[] = [changeTypes.add, changeTypes.role, changeTypes.setting];

async function withEvidence(change: Change, { conversationId, before }: EpochPlan, by: Committer): Promise<Change> {
  if (!before || !needEvidence.includes(change.type)) return change;
  const signer = { account: by.account, device: by.id, ancestor: before.checked.hash, at: Date.now() };
  return { ...change, evidence: await signChange(by.key, fromUuid(conversationId), signer, change) };
}

const boxesFor = (
  checked: Pick<CheckedEpoch, 'hash' | 'header' | 'members'>,
  secret: Bytes,
  withoutBox: readonly { readonly uuid: string }[],
): Promise<EpochBox[]> =>
  Promise.all(
    devicesOf(checked.members)
      .filter((device) => !withoutBox.some(({ uuid }) => uuid === toUuid(device)))
      .map(async (device) => {
        const to = { device, number: 0, keys: await publicKeysOf(device) };
        return { deviceId: toUuid(device), box: Buffer.from(encodeBox(await sealBox('box', checked, to, secret))) };
      }),
  );

/** Signs the next epoch of a conversation, or its first one, with evidence of the committer for what needs some. */
export async function signConversationEpoch(plan: EpochPlan, committer: Committer): Promise<TestEpoch> {
  const { conversationId, kind, before, leftOut = [], change = (header: Header) => header } = plan;
  const lists = [...(before?.lists ?? []), ...plan.members.flatMap(({ list }) => list ?? [])];
  const resolve = (_account: Bytes, { hash }: { hash: Bytes }) => lists.find((list) => equalBytes(list.hash, hash));
  const bare = [...memberChanges(plan, lists), ...settingChanges(plan)].toSorted(compareChanges);
  const changes = await Promise.all(bare.map((one) => withEvidence(one, plan, committer)));
  const left = leftOut
    .map(({ id }) => ({ device: id, row: null }))
    .toSorted((a, b) => compareBytes(a.device, b.device));
  const members = applyChanges(before?.checked.members ?? [], { changes, leftOut: left, kind }, resolve);
  const secret = createEpochSecret();
  const conversation = fromUuid(conversationId);
  const n = before ? before.checked.header.n + 1 : 0;
  const header = change({
    conversation,
    kind,
    n,
    previous: before?.checked.hash ?? null,
    suite: suiteFor(members),
    roster: await hashOfRoster(members),
    admission: plan.admission ?? 0,
    timer: plan.timer ?? 0,
    approval: 0,
    inviteKeys: [],
    changes,
    leftOut: left,
    commit: await commitTo(secret, conversation, n),
    account: committer.account,
    device: committer.id,
    reason: plan.reason ?? (before ? (changes.length > 0 ? 1 : 2) : 4),
    at: Math.max(plan.at ?? Date.now(), before?.checked.header.at ?? 0),
  });
  const statement = await signHeader(committer.key, header);
  const options = { lists: resolve, now: Date.now() + 86_400_000 };
  const checked = before
    ? await checkNextHeader(before.checked, statement, options)
    : await checkFirstHeader(statement, options);
  return {
    checked,
    statement,
    secret,
    lists,
    message: {
      header: { body: Buffer.from(statement.body), signature: Buffer.from(statement.signature) },
      roster: Buffer.from(encodeRoster(members)),
      boxes: await boxesFor(checked, secret, plan.withoutBox ?? []),
      previousSecret: undefined,
    },
  };
}
