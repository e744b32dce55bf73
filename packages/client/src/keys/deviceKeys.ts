import {
  assertKeysWork,
  createBoxKeyPairs,
  createSigningKey,
  deviceIdOf,
  signBoxKeys,
  toPublicBoxKeys,
  type BoxKeyPairs,
  type Bytes,
  type SigningKey,
  type Statement,
} from '@nolo/e2ee';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { padNumber } from './wire.ts';

/** Keys of this device as its storage has them (docs/encryption.md, section 3, "Keys on a device"). */

export interface DeviceKeys {
  readonly id: Bytes;
  readonly kind: 0 | 1;
  readonly signing: SigningKey;
  /** True once a list that this device trusts contains it. A signing key is listed at most once. */
  readonly isListed: boolean;
}

/** Box keys of one number. */
export interface BoxKeySet {
  readonly number: number;
  readonly pairs: BoxKeyPairs;
  /** Null until the keys were read back from the storage and work. */
  readonly statement: Statement | null;
  readonly madeAt: number;
  /** Time when the next number was published; null for the newest. */
  readonly replacedAt: number | null;
  readonly isPublished: boolean;
}

/** Device with its signed box keys. */
export interface ReadyDevice {
  readonly device: DeviceKeys;
  /** Ascending by number; at least one. */
  readonly boxes: readonly BoxKeySet[];
}

export const deviceKey = 'device';
const boxesPrefix = 'boxes/';
export const boxesKeyOf = (number: number): string => `${boxesPrefix}${padNumber(number)}`;

export const readDevice = ({ store }: KeyContext): Promise<DeviceKeys | undefined> => store.read<DeviceKeys>(deviceKey);

export const listBoxKeys = ({ store }: KeyContext): Promise<readonly BoxKeySet[]> => store.list<BoxKeySet>(boxesPrefix);

/** Reads keys back, uses them once, and only then signs the box keys. */
async function proveAndSign(context: KeyContext, number: number): Promise<BoxKeySet> {
  const { account, store } = context;
  const [device, set] = [await readDevice(context), await store.read<BoxKeySet>(boxesKeyOf(number))];
  if (!device || !set) throw new KeysError('not_ready', 'The storage lost the keys that were just stored.');
  await assertKeysWork(device.signing, set.pairs);
  const keys = toPublicBoxKeys(set.pairs);
  const statement = await signBoxKeys(device.signing, { account, device: device.id, number, keys, at: set.madeAt });
  const signed = { ...set, statement };
  await store.write({ [boxesKeyOf(number)]: signed });
  return signed;
}

/**
 * Returns the device with signed box keys. Creates both if the storage has none. A listed device keeps its keys.
 *
 * @throws KeysError `not_ready` or a Refusal if the engine or the storage loses keys
 */
export async function ensureDevice(context: KeyContext): Promise<ReadyDevice> {
  const { account, kind, keyForm, store } = context;
  let device = await readDevice(context);
  if (!device) {
    const signing = await createSigningKey(keyForm);
    const pairs = await createBoxKeyPairs();
    const id = await deviceIdOf(account, signing.publicKey);
    device = { id, kind, signing, isListed: false };
    const set = newSet(0, pairs, context.now());
    const old = await listBoxKeys(context);
    const dropped = Object.fromEntries(old.map(({ number }) => [boxesKeyOf(number), undefined]));
    await store.write({ ...dropped, [deviceKey]: device, [boxesKeyOf(0)]: set });
  }
  const boxes = await listBoxKeys(context);
  const ready: BoxKeySet[] = [];
  for (const set of boxes) ready.push(set.statement ? set : await proveAndSign(context, set.number));
  const found = await readDevice(context);
  if (!found || ready.length === 0) throw new KeysError('not_ready', 'The storage lost the keys of this device.');
  return { device: found, boxes: ready };
}

const newSet = (number: number, pairs: BoxKeyPairs, madeAt: number): BoxKeySet => ({
  number,
  pairs,
  statement: null,
  madeAt,
  replacedAt: null,
  isPublished: number === 0,
});

/** Creates and signs the box keys with this number, which are not published yet. */
export async function createBoxKeys(context: KeyContext, number: number): Promise<BoxKeySet> {
  await context.store.write({ [boxesKeyOf(number)]: newSet(number, await createBoxKeyPairs(), context.now()) });
  return proveAndSign(context, number);
}

interface FormerDevice {
  readonly device: DeviceKeys;
  readonly boxes: readonly BoxKeySet[];
}

const formerKey = 'formerDevice';

/**
 * Makes room for other keys: a signing key is listed at most once, and who loses the race for list 0 discards it. Keys
 * of a listed device are set aside, because the server may have lied about its removal.
 */
export async function dropDevice(context: KeyContext): Promise<void> {
  const [device, boxes] = [await readDevice(context), await listBoxKeys(context)];
  const dropped = Object.fromEntries(boxes.map(({ number }) => [boxesKeyOf(number), undefined]));
  const former = device?.isListed ? { [formerKey]: { device, boxes } satisfies FormerDevice } : {};
  await context.store.write({ ...dropped, ...former, [deviceKey]: undefined });
}

/** Returns the id of the device that was set aside. */
export const readFormerId = async ({ store }: KeyContext): Promise<Bytes | undefined> =>
  (await store.read<FormerDevice>(formerKey))?.device.id;

/** Brings back the keys that were set aside. */
export async function restoreFormer(context: KeyContext): Promise<void> {
  const former = await context.store.read<FormerDevice>(formerKey);
  if (!former) return;
  const dropped = (await listBoxKeys(context)).map(({ number }) => [boxesKeyOf(number), undefined] as const);
  const boxes = former.boxes.map((set) => [boxesKeyOf(set.number), set] as const);
  const values = Object.fromEntries<unknown>([...dropped, ...boxes]);
  await context.store.write({ ...values, [deviceKey]: former.device, [formerKey]: undefined });
}

/** Returns a device that no list contains yet. Creates one if the storage has none. */
export async function ensureUnlistedDevice(context: KeyContext, isTaken = false): Promise<ReadyDevice> {
  const device = await readDevice(context);
  if (device && (device.isListed || isTaken)) await dropDevice(context);
  return ensureDevice(context);
}

/** Returns the device's newest box keys with number 0, which its offer and first list contain. */
export function firstBoxKeysOf({ boxes }: ReadyDevice): Statement {
  const first = boxes.find(({ number }) => number === 0)?.statement;
  if (!first) throw new KeysError('not_ready', 'This device has renewed its box keys, so it is listed already.');
  return first;
}
