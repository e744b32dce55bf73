import {
  checkFirstHeader,
  checkNextHeader,
  devicesOf,
  encodeRoster,
  equalBytes,
  findDevice,
  readBox,
  readHeader,
  Refusal,
  toHex,
  toUuid,
  type Bytes,
  type CheckedEpoch,
  type CheckedList,
  type Header,
  type ListResolver,
  type Member,
} from '@nolo/e2ee';
import type { DeviceId, EpochState, EpochUpload, ListState } from './epochPorts.ts';

/**
 * Checks of the server for an epoch of a vault (docs/encryption.md, section 9), whose only member is one account.
 * Clients check all of it again. `conversationEpochs.ts` has those for conversations.
 */

export type EpochRefusalReason =
  /** The epoch is of another kind than the conversation, or the conversation can have none. */
  | 'kind'
  /** The device of the session did not sign it. */
  | 'device'
  /** The roster names another list than the newest one, or the vault belongs to another identity. */
  | 'list'
  /** Other members or roles than those of the conversation. */
  | 'members'
  /** Other settings than those of the conversation. */
  | 'settings'
  /** A last row that the conversation does not have, or of another device. */
  | 'last_rows'
  /** Other devices are left out than the suspended ones. */
  | 'left_out'
  /** A device with box keys has no box, or a device has more than one, or one of another suite. */
  | 'boxes'
  /** The sealed secret of the epoch before is missing, or not expected. */
  | 'previous_secret'
  /** The header's time is ahead of the server's. */
  | 'time';

/** Thrown when the server refuses an epoch that may be well signed. */
export class EpochRefusal extends Error {
  readonly reason: EpochRefusalReason;

  constructor(reason: EpochRefusalReason) {
    super(`an epoch that is refused: ${reason}`);
    this.name = 'EpochRefusal';
    this.reason = reason;
  }
}

/** Id that stands for the recovery key where a device is expected. */
export const recoveryKeyId = '00000000-0000-0000-0000-000000000000' as DeviceId;

/** Milliseconds that a header may be ahead of the server's clock. */
export const maxAheadMs = 300_000;
/** Bytes of a sealed secret: 32, and the tag. */
const sealedSecretBytes = 48;

export const deviceIdOf = (device: Uint8Array): DeviceId => toUuid(device) as DeviceId;

/** Finds lists by their hashes. */
export const resolverOf = (lists: readonly CheckedList[]): ListResolver => {
  const known = new Map(lists.map((list) => [toHex(list.hash), list]));
  return (account, { hash }) => {
    const found = known.get(toHex(hash));
    return found && equalBytes(found.list.account, account) ? found : undefined;
  };
};

/**
 * Checks that exactly the devices of the roster, and the recovery key if there is one, have a box of this epoch.
 * Devices without box keys need none: once they have some, they ask for the secret (section 3, Box keys). A lost epoch
 * may lack boxes, because its sender may lack the secret; devices without a box ask too.
 */
function assertBoxes(
  { boxes, lost }: EpochUpload,
  { suite }: Header,
  members: readonly Member[],
  { newest, keyless }: ListState,
): void {
  const expected = new Set(devicesOf(members).map(deviceIdOf));
  // Boxes of a lost epoch are sealed anew, to the present recovery key.
  if (newest.list.recovery) expected.add(recoveryKeyId);
  for (const { deviceId, box } of boxes) {
    const read = readBox(box);
    const isItsOwn = deviceIdOf(read.device) === deviceId && read.suite === suite;
    if (!isItsOwn || !expected.delete(deviceId)) throw new EpochRefusal('boxes');
    if (deviceId === recoveryKeyId && read.number !== 0) throw new EpochRefusal('boxes');
  }
  if (!lost && expected.difference(keyless).size > 0) throw new EpochRefusal('boxes');
}

/** Checks that the devices that are left out are the suspended ones of the list. Tokens are in no vault. */
function assertLeftOut({ leftOut }: Header, { newest, suspended }: ListState): void {
  const expected = new Set(
    newest.list.devices
      .filter(({ kind }) => kind !== 2)
      .map(({ id }) => deviceIdOf(id))
      .filter((id) => suspended.has(id)),
  );
  const isSame = leftOut.length === expected.size && leftOut.every(({ device }) => expected.has(deviceIdOf(device)));
  if (!isSame) throw new EpochRefusal('left_out');
}

function assertPreviousSecret({ previousSecret, lost }: EpochUpload, { n, reason }: Header): void {
  if (lost && !previousSecret) return;
  const length = n === 0 || reason === 3 ? undefined : sealedSecretBytes;
  if (previousSecret?.length !== length) throw new EpochRefusal('previous_secret');
}

/**
 * Reads a header, and checks what needs no state.
 *
 * @throws Refusal, EpochRefusal
 */
export function readCommit({ statement }: EpochUpload, conversation: Bytes, account: Bytes): Header {
  const header = readHeader(statement);
  if (!equalBytes(header.conversation, conversation) || !equalBytes(header.account, account))
    throw new Refusal('subject', 'a header of another conversation or account');
  if (header.kind !== 0) throw new EpochRefusal('kind');
  return header;
}

/** Checks what holds when an epoch is new: it comes from its signer, of now, and leaves out who is suspended. */
function assertPresent(header: Header, keys: ListState, time: number): void {
  if (!keys.device || deviceIdOf(header.device) !== keys.device) throw new EpochRefusal('device');
  if (header.at > time + maxAheadMs) throw new EpochRefusal('time');
  if (!findDevice(keys.newest.list, header.device)) throw new EpochRefusal('device');
  assertLeftOut(header, keys);
}

const namesNewest = ([own]: readonly Member[], { newest }: ListState): boolean =>
  own?.list !== undefined && own.list !== null && equalBytes(own.list.hash, newest.hash);

/**
 * Checks that an epoch of a vault is in order. One that was lost may name an older list, and other suspensions. Runs
 * under the lock of the vault. The caller has checked that its number and its previous header fit.
 *
 * @throws Refusal, EpochRefusal
 */
export async function checkVaultEpoch(
  { before, lists }: EpochState,
  upload: EpochUpload,
  header: Header,
  keys: ListState,
  now: Date,
): Promise<CheckedEpoch> {
  // A list that waits for its epoch is judged by the time of its arrival, so that each try has the same outcome.
  const time = (keys.receivedAt ?? now).getTime();
  const known = [...lists, keys.newest, ...(keys.named ? [keys.named.list] : [])];
  const options = { lists: resolverOf(known), now: time };
  const checked = before
    ? await checkNextHeader(before, upload.statement, options)
    : await checkFirstHeader(upload.statement, options);
  if (!upload.lost) assertPresent(header, keys, time);
  // A list goes with the epoch that names it, also if both were lost.
  if ((!upload.lost || keys.receivedAt) && !namesNewest(checked.members, keys)) throw new EpochRefusal('list');
  if (!equalBytes(encodeRoster(checked.members), upload.roster))
    throw new Refusal('order', 'members that the header does not name');
  assertBoxes(upload, header, checked.members, keys);
  assertPreviousSecret(upload, header);
  return checked;
}

/** Returns whether rows of the epoch before are late: a device lost the secret, or a role or setting changed. */
export function endsRows(before: CheckedEpoch | undefined, { header, members }: CheckedEpoch): boolean {
  if (!before) return false;
  const after = new Set(devicesOf(members).map(toHex));
  return (
    header.changes.some(({ type }) => [1, 2, 4, 5, 6].includes(type)) ||
    devicesOf(before.members).some((device) => !after.has(toHex(device)))
  );
}
