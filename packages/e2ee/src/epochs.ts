import { concatBytes, equalBytes, toHex, type Bytes } from './bytes.ts';
import { bytes, bytesUpTo, decodeCanonical, encodeCanonical, id, tuple, uint } from './encoding.ts';
import { assertEvidence, revokesInvites, toPastHeader, type PastHeader } from './evidence.ts';
import {
  changeTypes,
  compareChanges,
  hashOfHeader,
  hashOfRoster,
  noAccount,
  readHeader,
  type Change,
  type Header,
  type Member,
  type Settings,
} from './headers.ts';
import { findDevice, type CheckedList, type PublicBoxKeys } from './lists.ts';
import {
  deriveBytes,
  hashFor,
  hpkeOpen,
  hpkeSeal,
  labelOf,
  randomBytes,
  suiteLengths,
  type BoxKey,
  type HpkeSealed,
  type SuiteId,
} from './primitives.ts';
import { Refusal } from './refusal.ts';
import { applyChanges, findMember, isSameIdentity, listOfMember, type ListResolver } from './rosters.ts';
import { assertSignedBy, type Statement } from './statements.ts';

/** Epochs of a conversation: their headers, members, and secrets (docs/encryption.md, section 4). */

/** Epoch whose header was checked. */
export interface CheckedEpoch {
  readonly header: Header;
  readonly hash: Bytes;
  readonly members: readonly Member[];
  /** Headers since the one that this client checks from, this one included. */
  readonly history: readonly PastHeader[];
}

/** Maximum number of devices for which boxes are sealed with X-Wing. */
export const maxXWingDevices = 128;
/** Maximum milliseconds that a header may be ahead of this device's clock. */
const maxAheadMs = 86_400_000;

const refuse = (message: string): never => {
  throw new Refusal('order', message);
};

/** Returns the devices that get the secret of an epoch. */
export const devicesOf = (members: readonly Member[]): Bytes[] => members.flatMap(({ devices }) => devices);

/** Returns the suite for boxes to these members. */
export const suiteFor = (members: readonly Member[]): SuiteId => (devicesOf(members).length <= maxXWingDevices ? 2 : 1);

/** Returns the conversation id of an identity's vault. */
export const vaultIdOf = async (account: Bytes, identity: Bytes): Promise<Bytes> =>
  (await hashFor('vault', encodeCanonical([account, identity]))).slice(0, 16);

const startSettings: Settings = { admission: 0, timer: 0, approval: 0, inviteKeys: [] };

/** Returns the settings after the changes of a header. A header that revokes invite links sets only new keys. */
function applySettings(before: Settings, changes: readonly Change[]): Settings {
  const revokes = changes.some(revokesInvites);
  const settings = { ...before, ...(revokes && { inviteKeys: [] }) };
  for (const change of changes) {
    if (change.type !== changeTypes.setting) continue;
    const { setting } = change;
    if (setting.field === 0) settings.admission = setting.value;
    else if (setting.field === 1) settings.timer = setting.value;
    else if (setting.field === 2) settings.approval = setting.value;
    else {
      if (revokes && setting.value.some((key) => before.inviteKeys.some((known) => equalBytes(known, key))))
        refuse('a revoked invite link that is set again');
      settings.inviteKeys = setting.value;
    }
  }
  return settings;
}

function assertSettings(header: Header, expected: Settings): void {
  const { admission, timer, approval, inviteKeys } = header;
  const isSame =
    admission === expected.admission &&
    timer === expected.timer &&
    approval === expected.approval &&
    inviteKeys.length === expected.inviteKeys.length &&
    inviteKeys.every((key, at) => equalBytes(key, expected.inviteKeys[at] ?? noAccount));
  if (!isSame) refuse('settings that do not follow from the changes');
}

function assertForm({ changes, kind, leftOut, suite }: Header, members: readonly Member[]): void {
  for (const [at, change] of changes.entries()) {
    const before = changes[at - 1];
    if (before && compareChanges(before, change) >= 0) refuse('changes that do not ascend');
    const isNobodys = change.type === changeTypes.setting || change.type === changeTypes.resolve;
    if (isNobodys !== equalBytes(change.account, noAccount)) refuse('a change about the wrong account');
  }
  const left = leftOut.map(({ device }) => toHex(device));
  if (left.some((one, at) => at > 0 && one <= (left[at - 1] ?? ''))) refuse('left out devices that do not ascend');
  if (suite !== suiteFor(members)) refuse('the wrong suite');
  if (kind === 1 && members.length !== 2) refuse('a direct conversation without two members');
  if (kind === 0 && members.length !== 1) refuse('a vault without one member');
}

async function assertRoster({ roster }: Header, members: readonly Member[]): Promise<void> {
  if (!equalBytes(await hashOfRoster(members), roster)) refuse('a roster that does not follow from the changes');
}

/** Returns the signing key of the committer, whose device must be in this header's roster. */
function committerKey({ account, device }: Header, members: readonly Member[], lists: ListResolver): Bytes {
  const member = findMember(members, account);
  const list = member?.list && listOfMember(lists, account, member.list);
  const found = list && findDevice(list.list, device);
  if (!member || !found || !member.devices.some((one) => equalBytes(one, device)))
    return refuse('a committer that does not get the secret');
  return found.signKey;
}

/** Refuses committers who were no members with this identity, unless they add themselves or all start again. */
function assertCommitter({ header, members }: CheckedEpoch, after: Header, lists: ListResolver, is: CheckedList): void {
  const was = findMember(members, after.account);
  if (!was) {
    const own = after.changes.find(({ type, account }) => type === 0 && equalBytes(account, after.account));
    if (!own?.evidence) refuse('a committer who is no member');
    return;
  }
  if (header.kind !== after.kind) refuse('another kind of conversation');
  const isSame = was.list !== null && isSameIdentity(listOfMember(lists, after.account, was.list), is);
  if (!isSame && after.reason !== 3) refuse('a committer with another identity');
}

function assertReason({ members }: CheckedEpoch, { kind, reason, changes }: Header): void {
  if (reason === 4 || reason === 0) refuse('a start in the middle');
  if (kind === 0 && changes.some(({ type }) => type !== changeTypes.list && type !== changeTypes.resolve))
    refuse('a vault with other changes');
  if (reason !== 3 || kind === 0) return;
  const ends: readonly number[] = [changeTypes.identity, changeTypes.remove, changeTypes.leave];
  const ended = new Set(changes.filter(({ type }) => ends.includes(type)).map((one) => toHex(one.account)));
  if (members.some(({ account, devices }) => devices.length > 0 && !ended.has(toHex(account))))
    refuse('a restart while somebody has a device');
}

interface CheckOptions {
  readonly lists: ListResolver;
  /** Milliseconds since 1970 on this device's clock. */
  readonly now: number;
}

/**
 * Checks the first header of a conversation.
 *
 * @throws Refusal
 */
export async function checkFirstHeader(statement: Statement, { lists, now }: CheckOptions): Promise<CheckedEpoch> {
  const header = readHeader(statement);
  if (header.n !== 0 || header.previous !== null) return refuse('a first header with a past');
  if (header.reason !== 0 && header.reason !== 4) refuse('a first header with another reason');
  if (header.at > now + maxAheadMs) refuse('a header from the future');
  if (header.changes.some(({ type, evidence }) => (type !== 0 && type !== 5 && type !== 7) || evidence))
    refuse('a first header that changes something');
  const members = applyChanges([], header, lists);
  assertForm(header, members);
  assertSettings(header, applySettings(startSettings, header.changes));
  await assertRoster(header, members);
  await assertSignedBy('header', committerKey(header, members, lists), statement);
  const owners = members.filter(({ role }) => role === 2);
  if (header.kind === 1 && members.some(({ role }) => role !== 0)) refuse('roles in a direct conversation');
  const isOwners = owners.length === 1 && owners.every(({ account }) => equalBytes(account, header.account));
  if (header.kind !== 1 && header.reason === 0 && !isOwners) refuse('an owner who did not start the conversation');
  if (header.kind === 0) await assertVault(header, members, lists);
  const hash = await hashOfHeader(statement);
  return { header, hash, members, history: [toPastHeader(hash, header)] };
}

/** Refuses a vault under another id, or started by another device than the first one of the account. */
async function assertVault(header: Header, members: readonly Member[], lists: ListResolver): Promise<void> {
  const [own] = members;
  const list = own?.list && listOfMember(lists, own.account, own.list);
  if (!list || !equalBytes(header.conversation, await vaultIdOf(list.list.account, list.identity)))
    return refuse('the vault of another identity');
  if (list.list.devices[0]?.seniority !== 0) refuse('a vault that another device started');
  if (header.changes.length !== 1) refuse('a vault with other changes');
}

/**
 * Checks that a header is in order after another one.
 *
 * @throws Refusal `order`, `rights`, `signature`, `subject`, or `malformed`
 */
export async function checkNextHeader(
  before: CheckedEpoch,
  statement: Statement,
  { lists, now }: CheckOptions,
): Promise<CheckedEpoch> {
  const header = readHeader(statement);
  if (!equalBytes(header.conversation, before.header.conversation))
    throw new Refusal('subject', 'a header of another conversation');
  const isNext = header.n === before.header.n + 1 && header.previous && equalBytes(header.previous, before.hash);
  if (!isNext || header.at < before.header.at) return refuse('a header that does not follow the one before');
  if (header.kind !== before.header.kind) refuse('another kind of conversation');
  if (header.at > now + maxAheadMs) refuse('a header from the future');
  const members = applyChanges(before.members, header, lists);
  assertForm(header, members);
  assertReason(before, header);
  assertSettings(header, applySettings(before.header, header.changes));
  await assertRoster(header, members);
  const committer = findMember(members, header.account);
  const list = committer?.list && listOfMember(lists, header.account, committer.list);
  if (!list) return refuse('a committer without keys');
  assertCommitter(before, header, lists, list);
  await assertSignedBy('header', committerKey(header, members, lists), statement);
  const context = {
    conversation: header.conversation,
    kind: header.kind,
    before: before.members,
    after: members,
    settings: before.header,
    history: before.history,
    at: header.at,
    lists,
  };
  for (const change of header.changes) await assertEvidence(change, context);
  const hash = await hashOfHeader(statement);
  return { header, hash, members, history: [...before.history, toPastHeader(hash, header)] };
}

/** Creates the secret of an epoch. */
export const createEpochSecret = (): Bytes => randomBytes(32);

/** Returns the commitment that a header contains. */
export const commitTo = (secret: Bytes, conversation: Bytes, n: number): Promise<Bytes> =>
  deriveBytes(secret, 'commit', { context: encodeCanonical([conversation, n]) });

/**
 * Refuses a secret that is not the one of a header.
 *
 * @throws Refusal `unopened`
 */
export async function assertSecretOf({ conversation, n, commit }: Header, secret: Bytes): Promise<void> {
  if (secret.length !== 32 || !equalBytes(await commitTo(secret, conversation, n), commit))
    throw new Refusal('unopened', 'a secret that is not the one of this epoch');
}

/** Secret of an epoch, sealed to one device. */
export interface Box extends HpkeSealed {
  readonly device: Bytes;
  /** Number of the box keys that it is sealed to. */
  readonly number: number;
  readonly suite: SuiteId;
}

const boxReader = tuple(id, uint(), uint(2), bytesUpTo(suiteLengths[2].encapsulated), bytes(32 + 16));

/** Encodes a box as it is stored. */
export const encodeBox = ({ device, number, suite, encapsulated, ciphertext }: Box): Bytes =>
  encodeCanonical([device, number, suite, encapsulated, ciphertext]);

/**
 * Reads a stored box without opening it.
 *
 * @throws Refusal `malformed`
 */
export function readBox(encoded: Uint8Array): Box {
  const [device, number, suite, encapsulated, ciphertext] = decodeCanonical(encoded, boxReader);
  if (suite === 0 || encapsulated.length !== suiteLengths[suite as SuiteId].encapsulated)
    throw new Refusal('malformed', 'a box of no suite');
  return { device, number, suite: suite as SuiteId, encapsulated, ciphertext };
}

/** Purposes of boxes: of an epoch, and the answer to a nack. */
export type BoxPurpose = 'box' | 'answer';

const infoOf = (purpose: BoxPurpose, headerHash: Bytes, device: Bytes): Bytes =>
  concatBytes(labelOf(purpose), headerHash, device);

/** Seals a secret to a device. The recovery key has the id and the number zero. */
export async function sealBox(
  purpose: BoxPurpose,
  { hash, header }: Pick<CheckedEpoch, 'hash' | 'header'>,
  to: { device: Bytes; number: number; keys: PublicBoxKeys },
  secret: Bytes,
): Promise<Box> {
  const { suite } = header;
  const key = suite === 1 ? to.keys.x25519 : to.keys.xWing;
  const sealed = await hpkeSeal(suite, key, infoOf(purpose, hash, to.device), secret);
  return { device: to.device, number: to.number, suite, ...sealed };
}

/**
 * Opens a box and checks that it contains the secret of the header.
 *
 * @throws Refusal `unopened`
 */
export async function openBox(
  purpose: BoxPurpose,
  { hash, header }: Pick<CheckedEpoch, 'hash' | 'header'>,
  box: Box,
  key: BoxKey,
): Promise<Bytes> {
  if (box.suite !== header.suite || key.suite !== box.suite) throw new Refusal('unopened', 'a box of another suite');
  const secret = await hpkeOpen(key, infoOf(purpose, hash, box.device), box);
  await assertSecretOf(header, secret);
  return secret;
}
