import { concatBytes, equalBytes, toHex, type Bytes } from './bytes.ts';
import {
  bytes,
  bytes32,
  encodeCanonical,
  exactly,
  id,
  listOf,
  nullable,
  signatureBytes,
  time,
  tuple,
  uint,
  type Encodable,
  type Reader,
} from './encoding.ts';
import { hashFor, isSignatureValid, labelOf, signBytes, suiteLengths, type SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { assertSealable } from './sealable.ts';
import { assertSignedBy, protocolVersion, readBody, signStatement, type Statement } from './statements.ts';

/** Device lists (docs/encryption.md, section 3). */

/** 0 browser, 1 program with a screen of its own, 2 access token or bot. */
export type DeviceKind = 0 | 1 | 2;

export interface ListedDevice {
  readonly id: Bytes;
  readonly kind: DeviceKind;
  readonly signKey: Bytes;
  /** Id of the device that added it, `recoverySigner` for the recovery key, or null for the first device. */
  readonly addedBy: Bytes | null;
  /** Lower numbers are more senior. Unique in the life of an account. */
  readonly seniority: number;
}

/** Public keys that boxes are sealed to: X25519 and X-Wing. */
export interface PublicBoxKeys {
  readonly x25519: Bytes;
  readonly xWing: Bytes;
}

export interface ListedRecovery {
  readonly signKey: Bytes;
  readonly boxKeys: PublicBoxKeys;
  /** Signature of the recovery key over account, identity, and its keys: no other chain can contain it. */
  readonly consent: Bytes;
}

export interface DeviceList {
  readonly account: Bytes;
  readonly n: number;
  /** Hash of list n-1; null for the first list. */
  readonly previous: Bytes | null;
  readonly devices: readonly ListedDevice[];
  /** Seniority of the next added device. */
  readonly nextSeniority: number;
  readonly recovery: ListedRecovery | null;
  /** Id of the signing device, or `recoverySigner`. */
  readonly signer: Bytes;
  /** Milliseconds since 1970 on the signer's clock. Informs people and decides nothing. */
  readonly at: number;
}

/** Stands for the recovery key where a device's id is expected. */
export const recoverySigner: Bytes = new Uint8Array(16);

/**
 * Returns the id of a device: it follows from its account and key, so that no two accounts share one. It is a UUID of
 * version 8 (RFC 9562, section 5.8).
 */
export async function deviceIdOf(account: Bytes, signKey: Bytes): Promise<Bytes> {
  const hash = await hashFor('device', encodeCanonical([account, signKey]));
  return hash
    .slice(0, 16)
    .map((byte, at) => (at === 6 ? 0x80 | (byte & 0x0f) : at === 8 ? 0x80 | (byte & 0x3f) : byte));
}

/** Maximum number of devices of an account. */
export const maxDevices = 32;

const statementType = 'list';

const kindReader: Reader<DeviceKind> = (value) => uint(2)(value) as DeviceKind;

const deviceReader: Reader<ListedDevice> = (value) => {
  const [device, kind, signKey, addedBy, seniority] = tuple(id, kindReader, bytes32, nullable(id), uint())(value);
  return { id: device, kind, signKey, addedBy, seniority };
};

/** Reads `[[1, X25519 key], [2, X-Wing key]]`. */
export const boxKeysReader: Reader<PublicBoxKeys> = (value) => {
  const [[, x25519], [, xWing]] = tuple(
    tuple(exactly(1), bytes(suiteLengths[1].publicKey)),
    tuple(exactly(2), bytes(suiteLengths[2].publicKey)),
  )(value);
  return { x25519, xWing };
};

/** Returns the encodable form that `boxKeysReader` reads. */
export const toEncodableBoxKeys = ({ x25519, xWing }: PublicBoxKeys): Encodable => [
  [1, x25519],
  [2, xWing],
];

const recoveryReader: Reader<ListedRecovery> = (value) => {
  const [signKey, boxKeys, consent] = tuple(bytes32, boxKeysReader, signatureBytes)(value);
  return { signKey, boxKeys, consent };
};

const listReader: Reader<DeviceList> = (value) => {
  const [, account, n, previous, devices, nextSeniority, recovery, signer, at] = tuple(
    exactly(protocolVersion),
    id,
    uint(),
    nullable(bytes32),
    listOf(deviceReader, maxDevices),
    uint(),
    nullable(recoveryReader),
    id,
    time,
  )(value);
  return { account, n, previous, devices, nextSeniority, recovery, signer, at };
};

const toEncodableList = (list: DeviceList): Encodable => [
  protocolVersion,
  list.account,
  list.n,
  list.previous,
  list.devices.map((device) => [device.id, device.kind, device.signKey, device.addedBy, device.seniority]),
  list.nextSeniority,
  list.recovery && [list.recovery.signKey, toEncodableBoxKeys(list.recovery.boxKeys), list.recovery.consent],
  list.signer,
  list.at,
];

/** Reads a list without checking it. */
export const readList = (statement: Pick<Statement, 'body'>): DeviceList => readBody(statement, listReader);

/** Hash of a list. That of the first list is the account's identity. */
export const hashOfList = ({ body }: Pick<Statement, 'body'>): Promise<Bytes> => hashFor(statementType, body);

const isPerson = ({ kind }: ListedDevice): boolean => kind !== 2;

/** Returns a device of the list, or undefined. */
export const findDevice = (list: Pick<DeviceList, 'devices'>, device: Uint8Array): ListedDevice | undefined =>
  list.devices.find((one) => equalBytes(one.id, device));

const isRecovery = (signer: Uint8Array): boolean => equalBytes(signer, recoverySigner);

const isSameEntry = (a: ListedDevice, b: ListedDevice): boolean =>
  a.kind === b.kind &&
  a.seniority === b.seniority &&
  equalBytes(a.signKey, b.signKey) &&
  (a.addedBy === null ? b.addedBy === null : b.addedBy !== null && equalBytes(a.addedBy, b.addedBy));

const isSameDevices = (a: DeviceList, b: DeviceList): boolean =>
  a.devices.length === b.devices.length && a.devices.every((device) => findDevice(b, device.id));

const consentBody = (account: Bytes, identity: Bytes, { signKey, boxKeys }: Omit<ListedRecovery, 'consent'>): Bytes =>
  concatBytes(
    labelOf('recovery'),
    encodeCanonical([protocolVersion, account, identity, signKey, toEncodableBoxKeys(boxKeys)]),
  );

/** Signs, with a recovery key, that it belongs to an account's identity. */
export async function signConsent(
  key: SigningKey,
  account: Bytes,
  identity: Bytes,
  boxKeys: PublicBoxKeys,
): Promise<ListedRecovery> {
  const keys = { signKey: key.publicKey, boxKeys };
  return { ...keys, consent: await signBytes(key, consentBody(account, identity, keys)) };
}

const isSameRecovery = (a: ListedRecovery | null, b: ListedRecovery | null): boolean =>
  a === null || b === null
    ? a === b
    : equalBytes(a.signKey, b.signKey) &&
      equalBytes(a.boxKeys.x25519, b.boxKeys.x25519) &&
      equalBytes(a.boxKeys.xWing, b.boxKeys.xWing) &&
      equalBytes(a.consent, b.consent);

const refuse = (message: string): never => {
  throw new Refusal('order', message);
};

/** List that was checked, with its hash and the identity of its chain. */
export interface CheckedList {
  /** True for a list of a branch of a fork that ended, and that does not count. Headers may name it. */
  readonly isRefused?: boolean;
  readonly list: DeviceList;
  readonly hash: Bytes;
  readonly identity: Bytes;
}

/** Refuses ids that do not follow from their keys, keys that occur twice, and seniorities that do not ascend. */
async function assertDistinct({ account, devices, nextSeniority, recovery }: DeviceList): Promise<void> {
  const seen = new Set<string>();
  let last = -1;
  for (const { id: device, signKey, seniority } of devices) {
    if (!equalBytes(device, await deviceIdOf(account, signKey))) refuse('a device id that is not of its key');
    if (seniority <= last || seniority >= nextSeniority) refuse('seniorities that do not ascend');
    last = seniority;
    if (seen.has(toHex(signKey))) refuse('a key that is listed twice');
    seen.add(toHex(signKey));
  }
  if (recovery && seen.has(toHex(recovery.signKey))) refuse('a recovery key that is a device key');
}

/**
 * Checks the first list of a chain.
 *
 * @throws Refusal
 */
export async function checkFirstList(statement: Statement): Promise<CheckedList> {
  const list = readList(statement);
  const [only, ...others] = list.devices;
  if (list.n !== 0 || list.previous !== null || list.recovery !== null || list.nextSeniority !== 1)
    return refuse('a first list with a past');
  if (!only || others.length > 0 || !isPerson(only) || only.seniority !== 0 || only.addedBy !== null)
    return refuse('a first list without exactly one device of a person');
  if (!equalBytes(list.signer, only.id)) return refuse('a first list that its device did not sign');
  await assertDistinct(list);
  await assertSignedBy(statementType, only.signKey, statement);
  const hash = await hashOfList(statement);
  return { list, hash, identity: hash };
}

function assertDevices(before: DeviceList, { devices, nextSeniority, signer }: DeviceList): void {
  const added = devices.filter((device) => !findDevice(before, device.id));
  const known = [...before.devices, ...(before.recovery ? [before.recovery] : [])];
  for (const device of devices) {
    const entry = findDevice(before, device.id);
    if (entry && !isSameEntry(entry, device)) refuse('a changed entry of a device');
  }
  added.forEach(({ addedBy, seniority, signKey }, at) => {
    if (seniority !== before.nextSeniority + at) refuse('an added device without the next seniority');
    if (!addedBy || !equalBytes(addedBy, signer)) refuse('an added device that names another adder');
    if (known.some((one) => equalBytes(one.signKey, signKey))) refuse('an added device with a known key');
  });
  if (nextSeniority !== before.nextSeniority + added.length) refuse('a wrong next seniority');
}

/** Refuses removals of devices that are senior to the signer. The recovery key may remove any. */
function assertRemovals(before: DeviceList, after: DeviceList, signer: ListedDevice | undefined): void {
  if (!signer) return;
  const removed = before.devices.filter((device) => !findDevice(after, device.id));
  if (removed.some(({ seniority }) => seniority < signer.seniority)) refuse('a removal of a senior device');
}

async function assertRecovery(before: CheckedList, after: DeviceList, signer: ListedDevice | undefined): Promise<void> {
  if (isSameRecovery(before.list.recovery, after.recovery)) return;
  if (!after.recovery) return refuse('a removed recovery key');
  const senior = before.list.devices.find(isPerson);
  if (signer && (before.list.recovery || signer !== senior)) refuse('a recovery key that this device may not set');
  const { signKey, consent } = after.recovery;
  if (!(await isSignatureValid(signKey, consentBody(after.account, before.identity, after.recovery), consent)))
    refuse('a recovery key that belongs to another identity');
  await assertSealable(after.recovery.boxKeys);
}

/**
 * Checks that a list is in order after another one (rules 1 to 5).
 *
 * @throws Refusal: the account's identity then counts as changed if the server accepted the list
 */
export async function checkNextList(before: CheckedList, statement: Statement): Promise<CheckedList> {
  const after = readList(statement);
  const { list } = before;
  if (!equalBytes(after.account, list.account)) throw new Refusal('subject', 'a list of another account');
  if (after.n !== list.n + 1 || !after.previous || !equalBytes(after.previous, before.hash))
    return refuse('a list that does not follow the one before');
  const signer = findDevice(list, after.signer);
  const key = isRecovery(after.signer) ? list.recovery?.signKey : signer && isPerson(signer) && signer.signKey;
  if (!key) return refuse('a list by nobody who may sign it');
  await assertSignedBy(statementType, key, statement);
  await assertDistinct(after);
  assertDevices(list, after);
  assertRemovals(list, after, signer);
  await assertRecovery(before, after, signer);
  if (!after.recovery && !after.devices.some(isPerson)) return refuse('a list that leaves the account without keys');
  if (isSameRecovery(list.recovery, after.recovery) && isSameDevices(list, after))
    refuse('a list that changes nothing');
  return { list: after, hash: await hashOfList(statement), identity: before.identity };
}

/** Newest list of an account that a client has seen. */
export interface Pin {
  readonly account: Bytes;
  readonly identity: Bytes;
  readonly n: number;
  readonly hash: Bytes;
}

/** Returns the pin of a checked list. */
export const toPin = ({ list, hash, identity }: CheckedList): Pin => ({
  account: list.account,
  identity,
  n: list.n,
  hash,
});

/**
 * Checks a whole chain from its first list.
 *
 * @throws Refusal
 */
export async function checkChain(statements: readonly Statement[]): Promise<CheckedList> {
  const [first, ...rest] = statements;
  if (!first) return refuse('an empty chain');
  let checked = await checkFirstList(first);
  for (const statement of rest) checked = await checkNextList(checked, statement);
  return checked;
}

/** Signs a list. The caller has built it by the rules; `checkNextList` refuses any other. */
export const signList = (key: SigningKey, list: DeviceList): Promise<Statement> =>
  signStatement(statementType, key, toEncodableList(list));

/** Returns the list with these devices added and removed, and with its other fields continued. */
export function followList(
  { list, hash }: CheckedList,
  signer: Bytes,
  at: number,
  {
    add = [],
    remove = [],
    recovery = list.recovery,
  }: {
    add?: readonly Pick<ListedDevice, 'id' | 'kind' | 'signKey'>[];
    remove?: readonly Bytes[];
    recovery?: ListedRecovery | null;
  },
): DeviceList {
  const kept = list.devices.filter((device) => !remove.some((one) => equalBytes(one, device.id)));
  const added = add.map((device, index) => ({ ...device, addedBy: signer, seniority: list.nextSeniority + index }));
  return {
    account: list.account,
    n: list.n + 1,
    previous: hash,
    devices: [...kept, ...added],
    nextSeniority: list.nextSeniority + added.length,
    recovery,
    signer,
    at,
  };
}

/**
 * Returns the listed devices that leave with these: those that they added, and so on (section 3). Devices that are gone
 * count as links between others.
 *
 * @param chain all lists of the account, in order
 */
export function withDescendants(chain: readonly Pick<DeviceList, 'devices'>[], removed: readonly Bytes[]): Bytes[] {
  const ever = new Map(chain.flatMap(({ devices }) => devices).map((device) => [toHex(device.id), device]));
  const gone = new Set(removed.map(toHex));
  for (const { id: device, addedBy } of [...ever.values()].toSorted((a, b) => a.seniority - b.seniority))
    if (addedBy && gone.has(toHex(addedBy))) gone.add(toHex(device));
  const listed = chain.at(-1)?.devices ?? [];
  return listed.map(({ id: device }) => device).filter((device) => gone.has(toHex(device)));
}
