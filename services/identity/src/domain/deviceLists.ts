import {
  checkBoxKeys,
  checkFirstList,
  checkNextList,
  equalBytes,
  findDevice,
  fromUuid,
  readBoxKeys,
  readList,
  recoverySigner,
  Refusal,
  toUuid,
  type Bytes,
  type CheckedList,
  type DeviceList,
  type ListedDevice,
} from '@nolo/e2ee';
import type { UserId } from '@nolo/kit/ids';
import type {
  AcceptedList,
  AddedDevice,
  DeviceId,
  DeviceListPlan,
  DeviceListState,
  DeviceListUpload,
} from './keyPorts.ts';

/** Returns the bytes of an id. */
export const accountBytesOf = (userId: UserId): Bytes => fromUuid(userId);

export const deviceIdOf = (device: Uint8Array): DeviceId => toUuid(device) as DeviceId;

export type DeviceListVerdict =
  | { verdict: 'in_order'; plan: DeviceListPlan }
  | ({ verdict: 'repeated' } & AcceptedList)
  | { verdict: 'conflict' | 'device_mismatch' | 'device_present' };

const isToken = ({ kind }: ListedDevice): boolean => kind === 2;

/**
 * Matches box keys with the devices that a list adds: exactly one statement each, with number 0. With a lost list go
 * the newest ones that its sender knows, if any.
 */
async function checkAdded(
  added: readonly ListedDevice[],
  list: DeviceList,
  { boxKeys: statements, lost }: DeviceListUpload,
): Promise<AddedDevice[]> {
  const read = statements.map((statement) => ({ statement, ...readBoxKeys(statement) }));
  const checked: AddedDevice[] = [];
  for (const { id, kind, signKey } of added) {
    const own = read.find(({ device }) => equalBytes(device, id));
    if (!own && !lost) throw new Refusal('subject', 'an added device without box keys');
    if (own && own.number !== 0 && !lost) throw new Refusal('order', 'first box keys with another number than 0');
    if (own) await checkBoxKeys(own.statement, list, id);
    const boxKeys = own && { statement: own.statement, number: own.number, at: new Date(own.at) };
    checked.push({ id: deviceIdOf(id), kind, signKey, boxKeys });
  }
  if (statements.length !== checked.filter(({ boxKeys }) => boxKeys).length)
    throw new Refusal('subject', 'box keys of other devices than the added ones');
  return checked;
}

/** Returns the events of a list that its owner is notified of. */
function noticesOf(before: DeviceList, after: DeviceList, added: readonly AddedDevice[]): DeviceListPlan['notices'] {
  return [
    ...(added.some(({ kind }) => kind !== 2) ? (['device_added'] as const) : []),
    ...(isReplaced(before, after) ? (['recovery_replaced'] as const) : []),
    ...(!before.recovery && after.recovery ? (['recovery_set'] as const) : []),
  ];
}

/** Returns whether a list replaces the keys of a recovery key, which `checkNextList` lets only that key do. */
function isReplaced({ recovery: before }: DeviceList, { recovery: after }: DeviceList): boolean {
  if (!before) return false;
  return (
    !after ||
    !equalBytes(before.signKey, after.signKey) ||
    !equalBytes(before.boxKeys.x25519, after.boxKeys.x25519) ||
    !equalBytes(before.boxKeys.xWing, after.boxKeys.xWing)
  );
}

/** Returns the plan for the first list of an account or of a new identity. */
async function planFirst(state: DeviceListState, upload: DeviceListUpload): Promise<DeviceListPlan> {
  const checked = await checkFirstList(upload.list);
  const added = await checkAdded(checked.list.devices, checked.list, upload);
  return {
    chain: state.newest ? state.newest.chain + 1 : 0,
    checked,
    added,
    removed: state.devices.map(({ id }) => id),
    claimed: upload.lost ? undefined : added[0]?.id,
    dropsSeeds: state.newest !== undefined,
    needsVault: true,
    notices: state.newest ? ['identity_replaced'] : [],
    endsSessions: false,
    needsProof: state.newest !== undefined,
  };
}

/**
 * Finds which added device gets the session of the request. A device signs in its own session. The recovery key has
 * none, so it signs in that of the device that it adds, or of a device that stays.
 */
function claimSession(
  { ownDevice }: DeviceListState,
  after: DeviceList,
  added: readonly ListedDevice[],
): { claimed: DeviceId | undefined } | 'device_mismatch' | 'device_present' {
  if (!equalBytes(after.signer, recoverySigner))
    return ownDevice === deviceIdOf(after.signer) ? { claimed: undefined } : 'device_mismatch';
  const [first, ...others] = added.filter((device) => !isToken(device));
  if (others.length > 0) throw new Refusal('rights', 'a recovery that adds several devices');
  const stays = ownDevice !== undefined && findDevice(after, fromUuid(ownDevice)) !== undefined;
  if (!first) return stays ? { claimed: undefined } : 'device_mismatch';
  return stays ? 'device_present' : { claimed: deviceIdOf(first.id) };
}

/**
 * Returns true if a listed device other than the signer sends a lost list again. Its removals then need no proof,
 * because an attacker with a single device and its session cannot do this.
 */
function isWitnessed({ ownDevice }: DeviceListState, list: DeviceList): boolean {
  if (ownDevice === undefined || equalBytes(list.signer, recoverySigner)) return false;
  return ownDevice !== deviceIdOf(list.signer) && findDevice(list, fromUuid(ownDevice)) !== undefined;
}

async function planNext(
  state: DeviceListState,
  { chain, checked: before }: { chain: number; checked: CheckedList },
  upload: DeviceListUpload,
): Promise<DeviceListPlan | 'device_mismatch' | 'device_present'> {
  const checked = await checkNextList(before, upload.list);
  const newDevices = checked.list.devices.filter(({ id }) => !findDevice(before.list, id));
  const added = await checkAdded(newDevices, checked.list, upload);
  // A lost list gives no session a device: each device of it claims its own.
  const session = upload.lost ? { claimed: undefined } : claimSession(state, checked.list, newDevices);
  if (typeof session === 'string') return session;
  const removed = before.list.devices.filter(({ id }) => !findDevice(checked.list, id)).map(({ id }) => deviceIdOf(id));
  const replaced = isReplaced(before.list, checked.list);
  const notices = noticesOf(before.list, checked.list, added);
  /** A suspended device and the session's own device can be removed at once: that takes nothing from anyone. */
  const isHarmless = (id: DeviceId) =>
    id === state.ownDevice || state.devices.some((device) => device.id === id && device.suspended);
  return {
    chain,
    checked,
    added,
    removed,
    claimed: session.claimed,
    dropsSeeds: replaced,
    // The owner is notified of exactly those lists that change who can open the vault.
    needsVault: notices.length > 0,
    notices,
    endsSessions: true,
    needsProof: replaced || !(removed.every(isHarmless) || (upload.lost && isWitnessed(state, checked.list))),
  };
}

/**
 * Decides about a list. Runs under the lock of the account.
 *
 * @throws Refusal if the list is not in order
 */
export async function judgeDeviceList(
  state: DeviceListState,
  upload: DeviceListUpload,
  { replaces }: { replaces: boolean },
): Promise<DeviceListVerdict> {
  const { newest } = state;
  const read = readList(upload.list);
  if (!equalBytes(read.account, accountBytesOf(state.userId)))
    throw new Refusal('subject', 'a list of another account');
  const stored = newest && (await state.listAt(read.n));
  if (newest && stored && equalBytes(stored.body, upload.list.body))
    return { verdict: 'repeated', chain: newest.chain, n: read.n, hash: stored.hash };
  if (replaces && read.n !== 0) throw new Refusal('order', 'a changed identity without a first list');
  if (!newest || replaces) return { verdict: 'in_order', plan: await planFirst(state, upload) };
  // The number is taken: the loser of a race reads the winner's list and signs again.
  if (stored) return { verdict: 'conflict' };
  const plan = await planNext(state, newest, upload);
  return typeof plan === 'string' ? { verdict: plan } : { verdict: 'in_order', plan };
}
