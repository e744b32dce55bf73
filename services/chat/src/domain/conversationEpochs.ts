import {
  assertEvidence,
  checkFirstHeader,
  checkNextHeader,
  devicesOf,
  encodeRoster,
  equalBytes,
  findDevice,
  findMember,
  fromUuid,
  readBox,
  Refusal,
  type Change,
  type CheckedEpoch,
  type CheckedList,
  type DeviceList,
  type Header,
  type LastRow,
  type ListedDevice,
  type Member,
} from '@nolo/e2ee';
import type { UserId } from '@nolo/kit/ids';
import type { AccountState, AccountStates, DeviceId, EpochState, EpochTarget, PreparedEpoch } from './epochPorts.ts';
import { accountOf, assertMembers, assertSettings, type RoleChange, type WantedEpoch } from './epochMembers.ts';
import { deviceIdOf, EpochRefusal, maxAheadMs, resolverOf } from './epochs.ts';
import { checkLost, type TakenBack } from './lostEpochs.ts';

/** Checks of the server for an epoch of a direct conversation or a group (docs/encryption.md, section 9). */

/** Milliseconds for which a list counts after the next one was accepted. */
const formerListMs = 60_000;

/** Returns whether a newer list removes a device, or removes or replaces the recovery key. */
function takesAway(before: DeviceList, after: DeviceList): boolean {
  if (before.devices.some(({ id }) => !findDevice(after, id))) return true;
  const [was, is] = [before.recovery, after.recovery];
  if (!was) return false;
  return (
    !is ||
    !equalBytes(was.signKey, is.signKey) ||
    !equalBytes(was.boxKeys.x25519, is.boxKeys.x25519) ||
    !equalBytes(was.boxKeys.xWing, is.boxKeys.xWing)
  );
}

/**
 * Returns whether an account may name this list as its newest one: it is, or was within the last minute and newer ones
 * remove nothing, or it belongs to an identity that was replaced and nobody committed that yet.
 */
function countsAsNewest(
  member: Member,
  was: Member | undefined,
  state: AccountState | undefined,
  now: number,
): boolean {
  const { list } = member;
  if (!state || !list) return list === null && (!state || now - state.firstAt.getTime() <= formerListMs);
  if (equalBytes(list.hash, state.newest.checked.hash)) return true;
  const named = state.named.find(({ checked }) => equalBytes(checked.hash, list.hash));
  if (!named) return false;
  if (!equalBytes(named.checked.identity, state.newest.checked.identity))
    return was?.list != null && equalBytes(was.list.hash, list.hash);
  const age = now - (named.supersededAt?.getTime() ?? now);
  return age <= formerListMs && !takesAway(named.checked.list, state.newest.checked.list);
}

/** Returns the devices of a list that a header must leave out: suspended ones, and all of a replaced identity. */
function devicesToLeaveOut(
  { checked, state }: { checked: CheckedList; state: AccountState | undefined },
  had: ReadonlySet<DeviceId>,
): DeviceId[] {
  const isReplaced = state !== undefined && !equalBytes(checked.identity, state.newest.checked.identity);
  const isOut = ({ id, kind }: ListedDevice) =>
    (isReplaced || state?.suspended.has(deviceIdOf(id))) && (kind !== 2 || had.has(deviceIdOf(id)));
  return checked.list.devices.filter(isOut).map(({ id }) => deviceIdOf(id));
}

function assertLeftOut(
  { header, members }: CheckedEpoch,
  before: CheckedEpoch | undefined,
  states: AccountStates,
  listOf: (member: Member) => CheckedList | undefined,
): void {
  const had = new Set(devicesOf(before?.members ?? []).map(deviceIdOf));
  const expected = members.flatMap((member) => {
    const checked = listOf(member);
    return checked ? devicesToLeaveOut({ checked, state: states.get(accountOf(member)) }, had) : [];
  });
  const named = new Set(header.leftOut.map(({ device }) => deviceIdOf(device)));
  if (named.size !== expected.length || expected.some((id) => !named.has(id))) throw new EpochRefusal('left_out');
}

/**
 * Checks that exactly the devices of the roster have a box. Devices without box keys need none, and in a conversation
 * with a timer those with old ones. An epoch that was lost may lack boxes.
 */
function assertBoxes({ header, upload, states }: PreparedEpoch, members: readonly Member[]): void {
  const missing = new Set(devicesOf(members).map(deviceIdOf));
  for (const { deviceId, box } of upload.boxes) {
    const read = readBox(box);
    const isItsOwn = deviceIdOf(read.device) === deviceId && read.suite === header.suite;
    if (!isItsOwn || !missing.delete(deviceId)) throw new EpochRefusal('boxes');
  }
  if (upload.lost) return;
  for (const { keyless, outdated } of states.values())
    for (const id of header.timer > 0 ? keyless.union(outdated) : keyless) missing.delete(id);
  if (missing.size > 0) throw new EpochRefusal('boxes');
}

function assertKind({ kind }: Header, { type }: EpochTarget): void {
  if (kind !== (type === 'direct' ? 1 : type === 'group' ? 2 : undefined)) throw new EpochRefusal('kind');
}

/** Checks what holds when an epoch is new. Returns the roles that the server takes over. */
function assertPresent(
  checked: CheckedEpoch,
  { before }: EpochState,
  { states, device }: PreparedEpoch,
  { target, now, listOf }: { target: WantedEpoch; now: number; listOf: (member: Member) => CheckedList | undefined },
): RoleChange[] {
  const { header, members } = checked;
  if (deviceIdOf(header.device) !== device) throw new EpochRefusal('device');
  if (header.at > now + maxAheadMs) throw new EpochRefusal('time');
  const roles = assertMembers(checked, before, target);
  assertSettings(header, target);
  for (const member of members) {
    const was = before && findMember(before.members, member.account);
    if (!countsAsNewest(member, was, states.get(accountOf(member)), now)) throw new EpochRefusal('list');
  }
  assertLeftOut(checked, before, states, listOf);
  return roles;
}

/** Epoch of a conversation that is in order. */
export interface CheckedConversationEpoch {
  readonly after: CheckedEpoch;
  readonly roles: readonly RoleChange[];
  /** Members whom an epoch that was lost removed before. */
  readonly gone: TakenBack['gone'];
  /** Settings that it had changed. */
  readonly settings: Pick<TakenBack, 'admission' | 'timer'>;
}

/**
 * Checks that an epoch of a conversation is in order, except for last rows. One that was lost is judged without the
 * lists of the present, and largely without its members and settings. Runs under the lock of the conversation. The
 * caller has checked that its number and its previous header fit.
 *
 * @throws Refusal, EpochRefusal
 */
export async function checkConversationEpoch(
  state: EpochState,
  prepared: PreparedEpoch,
  target: WantedEpoch,
  now: Date,
): Promise<CheckedConversationEpoch> {
  const { upload, header, states } = prepared;
  assertKind(header, target);
  const named = [...states.values()].flatMap((account) => [account.newest, ...account.named]);
  const lists = resolverOf([...state.lists, ...named.map(({ checked }) => checked)]);
  const options = { lists, now: now.getTime() };
  const after = state.before
    ? await checkNextHeader(state.before, upload.statement, options)
    : await checkFirstHeader(upload.statement, options);
  const listOf = ({ account, list }: Member) => (list ? lists(account, list) : undefined);
  const taken = upload.lost ? checkLost(after, state.before, target) : undefined;
  const roles = taken?.roles ?? assertPresent(after, state, prepared, { target, now: now.getTime(), listOf });
  if (!equalBytes(encodeRoster(after.members), upload.roster))
    throw new Refusal('order', 'members that the header does not name');
  assertBoxes(prepared, after.members);
  if (upload.previousSecret) throw new EpochRefusal('previous_secret');
  return { after, roles, gone: taken?.gone ?? [], settings: taken ?? {} };
}

/** Returns whether the evidence of a leave counts in an epoch that follows now. */
export async function countsNext(
  leave: Change,
  { before, lists }: EpochState & { readonly before: CheckedEpoch },
  now: Date,
): Promise<boolean> {
  const { header, members, history } = before;
  const context = {
    conversation: header.conversation,
    kind: header.kind,
    before: members,
    after: members,
    settings: header,
    history,
    at: Math.max(now.getTime(), header.at),
    lists: resolverOf(lists),
  };
  try {
    await assertEvidence(leave, context);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Returns the last rows that a header names. */
export const lastRowsOf = ({ changes, leftOut }: Header): LastRow[] => [
  ...changes.flatMap((change) => ('lastRows' in change ? change.lastRows : [])),
  ...leftOut,
];

/**
 * Returns whether an epoch gives its secret to a device that lost access, or names a list after which the
 * recovery key changed.
 *
 * @param members of the newest epoch
 * @param named list that they name
 * @param state of the account; undefined if it is gone
 */
export function isOvertaken(
  members: readonly Member[],
  userId: UserId,
  named: DeviceList | undefined,
  state: AccountState | undefined,
): boolean {
  const own = findMember(members, fromUuid(userId));
  if (!own?.list || !state) return false;
  const { checked } = state.newest;
  const isGone = (device: Uint8Array) =>
    !checked.list.devices.some(({ id }) => equalBytes(id, device)) || state.suspended.has(deviceIdOf(device));
  return own.devices.some(isGone) || (named !== undefined && takesAway(named, checked.list));
}
