import type { EpochTarget, NewEpoch } from '@nolo/api';
import {
  applyChanges,
  changeTypes,
  checkFirstHeader,
  checkNextHeader,
  commitTo,
  compareBytes,
  compareChanges,
  createEpochSecret,
  encodeBox,
  encodeRoster,
  equalBytes,
  findDevice,
  findMember,
  fromUuid,
  hashOfRoster,
  noAccount,
  readBoxKeys,
  sealBoxes,
  signHeader,
  suiteFor,
  toUuid,
  type BoxRecipient,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type Header,
  type HeaderReason,
  type LastRow,
  type ListReference,
  type ListResolver,
  type Member,
  type Role,
  type Settings,
  type Statement,
} from '@nolo/e2ee';
import { isRefused, type Chain } from '../chains.ts';
import type { KeyContext } from '../context.ts';
import type { DeviceKeys } from '../deviceKeys.ts';
import { nameOf, toSigned, toText } from '../wire.ts';
import type { AccountLists, ListsOf } from './accountLists.ts';
import { findAddition } from './additions.ts';
import type { Leave } from './leaves.ts';
import {
  headerOf,
  membersOf,
  rosterDevices,
  type Addition,
  type Conversation,
  type ConversationEpoch,
  type PendingEpoch,
} from './conversation.ts';

/** Building the next epoch of a conversation (docs/encryption.md, section 4). */

export interface EpochParts {
  readonly device: DeviceKeys;
  readonly conversation: Conversation;
  readonly lists: ListsOf;
  /** Resolves the lists of the newest header, and the newest ones. */
  readonly resolver: ListResolver;
  /** Members and settings that the next header must have. */
  readonly target: EpochTarget;
  /** Changes that this device signed. */
  readonly signed: readonly Change[];
  /** Additions that others signed, as far as they count. */
  readonly additions: readonly Addition[];
  /** Leaves of former members, as far as they count. */
  readonly leaves: readonly Leave[];
  /** True if the conversation has messages that are not sealed: then the server supplies its members. */
  readonly hasPlainMessages: boolean;
}

const boxLifeMs = 14 * 86_400_000;

const isSameHash = (a: Bytes | undefined, b: Bytes): boolean => a !== undefined && equalBytes(a, b);

/** Returns true if a chain has a list: the list is of its identity. */
export const isOfChain = (chain: Chain | null, { n, hash }: ListReference): boolean =>
  chain !== null && isSameHash(chain.hashes[n], hash);

/** Returns true if a chain has a list, or a branch of it does that a fork ended. */
export const isOfIdentity = (chain: Chain | null, list: ListReference): boolean =>
  isOfChain(chain, list) || (chain !== null && isRefused(chain, list));

const referenceTo = ({ newest }: Chain): ListReference => ({ n: newest.list.n, hash: newest.hash });

export const lastRowOf = ({ lastRows }: Pick<Conversation, 'lastRows'>, device: Bytes): LastRow => ({
  device,
  row: lastRows[nameOf(device)]?.hash ?? null,
});

const lastRowsOf = (conversation: Conversation, devices: readonly Bytes[]): LastRow[] =>
  devices.map((device) => lastRowOf(conversation, device)).toSorted((a, b) => compareBytes(a.device, b.device));

/** Change that brings a member to the newest list of the identity that counts. */
function listChange({ conversation, lists, resolver }: EpochParts, { account, list, devices }: Member): Change[] {
  const { chain, other } = lists(account);
  if (!chain) return [];
  const newest = referenceTo(chain);
  if (!list) return [{ type: 3, account, list: newest, lastRows: [], evidence: null }];
  if (!isOfIdentity(chain, list)) {
    // The other identity waits for the user, so its header stays as it is.
    if (isOfChain(other, list)) return [];
    return [{ type: 6, account, list: newest, lastRows: lastRowsOf(conversation, devices), evidence: null }];
  }
  if (isOfChain(chain, list) && list.n >= newest.n) return [];
  const before = resolver(account, list)?.list.devices ?? [];
  const gone = before
    .filter(({ id, kind }) => kind !== 2 || devices.some((one) => equalBytes(one, id)))
    .filter(({ id }) => !findDevice(chain.newest.list, id))
    .map(({ id }) => id);
  return [{ type: 3, account, list: newest, lastRows: lastRowsOf(conversation, gone), evidence: null }];
}

/** Change for a former member: their signed leave, or what the server says. */
function goneChange({ conversation, leaves }: EpochParts, { account, devices }: Member): Change {
  const leave = leaves.find((one) => equalBytes(one.account, account));
  return leave ?? { type: 1, account, lastRows: lastRowsOf(conversation, devices), evidence: null };
}

function addition({ lists }: EpochParts, account: Bytes, role: Role): Change {
  const { chain } = lists(account);
  return { type: 0, account, role, list: chain && referenceTo(chain), evidence: null };
}

/** Returns the changes by which a member enters: by the code, or signed by somebody; none if nobody did. */
function entryOf(parts: EpochParts, { header }: CheckedEpoch, account: Bytes): Change[] {
  if (header.admission === 1 || header.kind === 1) return [addition(parts, account, 0)];
  const signed = findAddition(parts.additions, account);
  return signed ? [signed, ...(signed.list ? listChange(parts, { ...signed, devices: [] }) : [])] : [];
}

/** Returns the changes that lead from the newest header to what the server has. */
function changesTo(parts: EpochParts): Change[] {
  const { conversation, target, signed } = parts;
  const signedFor = new Set(signed.flatMap((one) => (one.type === changeTypes.token ? [] : [nameOf(one.account)])));
  const isSigned = (account: Bytes): boolean => signedFor.has(nameOf(account));
  const wanted = target.members.map(({ userId, role }) => ({ account: fromUuid(userId), role: role as Role }));
  const { head } = conversation;
  if (!head) {
    const settings: Change[] = [];
    const change = { type: 5, account: noAccount, evidence: null } as const;
    if (target.admission === 1) settings.push({ ...change, setting: { field: 0, value: 1 } });
    if (target.timer > 0) settings.push({ ...change, setting: { field: 1, value: target.timer } });
    return [...wanted.map(({ account, role }) => addition(parts, account, role)), ...settings];
  }
  const wantedNames = new Set(wanted.map(({ account }) => nameOf(account)));
  const present = new Set(head.members.map(({ account }) => nameOf(account)));
  const isWanted = (account: Bytes): boolean => wantedNames.has(nameOf(account));
  const free = head.members.filter(({ account }) => !isSigned(account));
  return [
    ...signed,
    ...free.filter(({ account }) => !isWanted(account)).map((one) => goneChange(parts, one)),
    ...head.members
      .filter(
        ({ account }) => isWanted(account) && !signed.some((one) => one.type <= 2 && equalBytes(one.account, account)),
      )
      .flatMap((one) => listChange(parts, one)),
    ...wanted
      .filter(({ account }) => !present.has(nameOf(account)) && !isSigned(account))
      .flatMap(({ account }) => entryOf(parts, head, account)),
  ];
}

/** Devices of an account that get nothing: suspended ones, and all of an identity that was replaced. */
export function excludedOf({ suspended, other }: AccountLists): (device: Bytes) => boolean {
  return (device) => other !== null || suspended.some((one) => equalBytes(one, device));
}

/** Returns the devices that the header leaves out. */
function leftOutOf(parts: EpochParts, changes: readonly Change[]): LastRow[] {
  const { conversation, lists, resolver, device } = parts;
  const before = conversation.head?.members ?? [];
  const members = applyChanges(before, { changes, leftOut: [], kind: parts.target.type === 'group' ? 2 : 1 }, resolver);
  const out = members.flatMap(({ account, list, devices }) => {
    const isExcluded = excludedOf(lists(account));
    const named = list && resolver(account, list);
    return devices.filter(
      (one) =>
        isExcluded(one) &&
        !equalBytes(one, device.id) &&
        (findDevice(named?.list ?? { devices: [] }, one)?.kind !== 2 ||
          before.some((member) => member.devices.some((had) => equalBytes(had, one)))),
    );
  });
  return lastRowsOf(conversation, out);
}

const startSettings: Settings = { admission: 0, timer: 0, approval: 0, inviteKeys: [] };

function settingsAfter(before: Settings, changes: readonly Change[]): Settings {
  const revokes = changes.some(
    (one) =>
      one.type === changeTypes.remove ||
      one.type === changeTypes.leave ||
      one.type === changeTypes.identity ||
      (one.type === changeTypes.list && one.lastRows.length > 0),
  );
  const settings = { ...before, ...(revokes && { inviteKeys: [] }) };
  for (const change of changes) {
    if (change.type !== changeTypes.setting) continue;
    const { setting } = change;
    if (setting.field === 0) settings.admission = setting.value;
    else if (setting.field === 1) settings.timer = setting.value;
    else if (setting.field === 2) settings.approval = setting.value;
    else settings.inviteKeys = setting.value;
  }
  const { admission, timer, approval, inviteKeys } = settings;
  return { admission, timer, approval, inviteKeys };
}

/** Returns true if the server's roles are those of a group that this account just made. */
export const isOwnStart = (account: Bytes, { members }: Pick<EpochTarget, 'members'>): boolean =>
  members.every(({ userId, role }) => (role === 2) === (userId === toUuid(account)));

function reasonOf(
  context: KeyContext,
  parts: EpochParts,
  changes: readonly Change[],
  leftOut: readonly LastRow[],
): HeaderReason {
  const { conversation, target, hasPlainMessages } = parts;
  if (!conversation.head) {
    const isSupplied = hasPlainMessages || (target.type === 'group' && !isOwnStart(context.account, target));
    return isSupplied ? 4 : 0;
  }
  const own = findMember(conversation.head.members, context.account);
  // The roster has no device of its members' present identities, the own one included.
  if (own && (!own.list || !isOfIdentity(parts.lists(context.account).chain, own.list))) return 3;
  const before = conversation.head.header.leftOut;
  const isSame =
    leftOut.length === before.length && leftOut.every((one, at) => isSameHash(before[at]?.device, one.device));
  return changes.length > 0 || !isSame ? 1 : 2;
}

/** Seals a secret to everyone who gets a box. */
async function sealAll(
  context: KeyContext,
  lists: ListsOf,
  head: Pick<CheckedEpoch, 'hash' | 'header' | 'members'>,
  secret: Bytes,
): Promise<NewEpoch['boxes']> {
  const boxes = await sealBoxes(head, recipientsOf(context, lists, head), secret);
  return boxes.map((box) => ({ deviceId: toUuid(box.device), box: toText(encodeBox(box)) }));
}

/** Request that shows an accepted epoch to a server that lost it, with boxes sealed anew. */
export async function rebuildEpoch(
  context: KeyContext,
  lists: ListsOf,
  epoch: ConversationEpoch,
): Promise<NewEpoch & { readonly lost: true }> {
  const head = { hash: epoch.hash, header: headerOf(epoch), members: membersOf(epoch) };
  return {
    header: toSigned(epoch.statement),
    roster: toText(epoch.roster),
    boxes: epoch.secret ? await sealAll(context, lists, head, epoch.secret) : [],
    lost: true,
  };
}

/** Returns true if box keys are too old for a header with a timer: the device renews them first. */
export const isTooOld = ({ timer }: Pick<Header, 'timer'>, keys: Statement, now: number): boolean =>
  timer > 0 && now - readBoxKeys(keys).at > boxLifeMs;

/** Everyone who gets a box: the devices of the roster whose box keys are known, and young enough for a timer. */
function recipientsOf(
  { now }: KeyContext,
  lists: ListsOf,
  { header, members }: Pick<CheckedEpoch, 'header' | 'members'>,
): BoxRecipient[] {
  return members.flatMap(({ account, devices }) => {
    const { chain, other } = lists(account);
    return devices.flatMap((device) => {
      const statement = chain?.boxKeys[nameOf(device)] ?? other?.boxKeys[nameOf(device)];
      if (!statement) return [];
      const { number, keys } = readBoxKeys(statement);
      return isTooOld(header, statement, now()) ? [] : [{ device, number, keys }];
    });
  });
}

/**
 * Builds, signs, and checks the next epoch.
 *
 * @throws Refusal if what the server wants follows from no change that this device may commit
 */
export async function buildNextEpoch(context: KeyContext, parts: EpochParts): Promise<PendingEpoch> {
  const { conversation, device, resolver, target } = parts;
  const { head } = conversation;
  const { account, now, deviceNow } = context;
  const changes = changesTo(parts).toSorted(compareChanges);
  const leftOut = leftOutOf(parts, changes);
  const kind = target.type === 'group' ? 2 : 1;
  const members = applyChanges(head?.members ?? [], { changes, leftOut, kind }, resolver);
  const n = head ? head.header.n + 1 : 0;
  const secret = createEpochSecret();
  const header: Header = {
    ...settingsAfter(head?.header ?? startSettings, changes),
    conversation: conversation.id,
    kind,
    n,
    previous: head?.hash ?? null,
    suite: suiteFor(members),
    roster: await hashOfRoster(members),
    changes,
    leftOut,
    commit: await commitTo(secret, conversation.id, n),
    account,
    device: device.id,
    reason: reasonOf(context, parts, changes, leftOut),
    at: Math.max(now(), head?.header.at ?? 0),
  };
  const statement = await signHeader(device.signing, header);
  const options = { lists: resolver, now: now() };
  const checked = await (head ? checkNextHeader(head, statement, options) : checkFirstHeader(statement, options));
  return {
    head: checked,
    builtAt: now(),
    keptFrom: deviceNow(),
    devices: rosterDevices(checked.members, resolver),
    secret,
    request: {
      header: toSigned(statement),
      roster: toText(encodeRoster(checked.members)),
      boxes: await sealAll(context, parts.lists, checked, secret),
    },
  };
}
