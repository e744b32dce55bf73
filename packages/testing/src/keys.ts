import {
  createBoxKeyPairs,
  createRecoverySeed,
  createSigningKey,
  deriveRecoveryKeys,
  encodeOffer,
  deviceIdOf,
  followList,
  checkFirstList,
  checkNextList,
  fromUuid,
  recoverySigner,
  signBoxKeys,
  signClaim,
  signList,
  toListedRecovery,
  toPublicBoxKeys,
  toUuid,
  type Bytes,
  type CheckedList,
  type DeviceKind,
  type DeviceList,
  type SigningKey,
  type Statement,
} from '@nolo/e2ee';
import type { NewEpoch, SignedStatement } from '@nolo/proto/keys';
import { rememberBoxKeys, signVaultEpoch, type EpochOptions, type TestEpoch } from './vaults.ts';

/** Device of a test, with its private key. */
export interface TestDevice {
  id: Bytes;
  uuid: string;
  kind: DeviceKind;
  key: SigningKey;
  signKey: Bytes;
  account: Bytes;
}

export const toMessage = ({ body, signature }: Statement): SignedStatement => ({
  body: Buffer.from(body),
  signature: Buffer.from(signature),
});

export const fromMessage = (statement: SignedStatement | undefined): Statement => ({
  body: Uint8Array.from(statement?.body ?? []),
  signature: Uint8Array.from(statement?.signature ?? []),
});

export async function createTestDevice(accountId: string, kind: DeviceKind = 0): Promise<TestDevice> {
  const key = await createSigningKey();
  const account = fromUuid(accountId);
  const id = await deviceIdOf(account, key.publicKey);
  return { id, uuid: toUuid(id), kind, key, signKey: key.publicKey, account };
}

/** Signs new box keys of a device. */
export async function createTestBoxKeys(
  { id, key, account }: TestDevice,
  { number = 0, at = Date.now() }: { number?: number; at?: number } = {},
): Promise<Statement> {
  const pairs = await createBoxKeyPairs();
  rememberBoxKeys(id, pairs);
  return signBoxKeys(key, { account, device: id, number, keys: toPublicBoxKeys(pairs), at });
}

export const firstListOf = ({ id, kind, signKey, account }: TestDevice): DeviceList => ({
  account,
  n: 0,
  previous: null,
  devices: [{ id, kind, signKey, addedBy: null, seniority: 0 }],
  nextSeniority: 1,
  recovery: null,
  signer: id,
  at: Date.now(),
});

/**
 * List with the box keys of what it adds and the epoch of the vault, ready to be sent, and as a client that checked it
 * sees it.
 */
export interface SignedList {
  checked: CheckedList;
  statement: Statement;
  /** Newest epoch of the vault once the list is accepted. */
  epoch: TestEpoch;
  message: { list: SignedStatement; boxKeys: SignedStatement[]; vault: NewEpoch | undefined };
}

type Committer = { id: Bytes; key: SigningKey };

/** Newest epoch of the vault for each list, and who committed it. */
const epochs = new WeakMap<CheckedList, TestEpoch>();
const committers = new WeakMap<CheckedList, Committer>();

/** Sets the newest epoch of the vault, from which the next list continues. */
export const continueFrom = (list: CheckedList, epoch: TestEpoch): void => void epochs.set(list, epoch);

async function signedList(
  checked: CheckedList,
  statement: Statement,
  {
    added,
    before,
    committer,
    options,
  }: {
    added: readonly TestDevice[];
    before?: TestEpoch | undefined;
    /** Absent if the list goes alone. */
    committer?: Committer | undefined;
    options?: EpochOptions | undefined;
  },
): Promise<SignedList> {
  const boxKeys = await Promise.all(added.map(async (device) => toMessage(await createTestBoxKeys(device))));
  const epoch = committer ? await signVaultEpoch(checked, committer, before, options) : before;
  if (!epoch) throw new Error('A list without a vault.');
  epochs.set(checked, epoch);
  if (committer) committers.set(checked, committer);
  const message = { list: toMessage(statement), boxKeys, vault: committer && epoch.message };
  return { checked, statement, epoch, message };
}

export async function signFirstList(device: TestDevice, options?: EpochOptions): Promise<SignedList> {
  const statement = await signList(device.key, firstListOf(device));
  return signedList(await checkFirstList(statement), statement, { added: [device], committer: device, options });
}

export interface ListChanges {
  add?: TestDevice[];
  remove?: Pick<TestDevice, 'id'>[];
  recovery?: DeviceList['recovery'];
  epoch?: EpochOptions;
}

/** Signs the list after another one, as a device or (without `id`) as the recovery key. */
export async function signNextList(
  before: CheckedList,
  signer: { id?: Bytes; key: SigningKey },
  { add = [], remove = [], recovery, epoch: options }: ListChanges,
): Promise<SignedList> {
  const changes = {
    add: add.map(({ id, kind, signKey }) => ({ id, kind, signKey })),
    remove: remove.map(({ id }) => id),
    ...(recovery !== undefined && { recovery }),
  };
  const list = followList(before, signer.id ?? recoverySigner, Date.now(), changes);
  const statement = await signList(signer.key, list);
  const needsVault = add.some(({ kind }) => kind !== 2) || recovery !== undefined;
  // The recovery key commits no epochs: the device that it adds does, or the one that it acts for.
  const byRecovery = add.find(({ kind }) => kind !== 2) ?? committers.get(before);
  const committer = signer.id ? { id: signer.id, key: signer.key } : byRecovery;
  const checked = await checkNextList(before, statement);
  if (byRecovery) committers.set(checked, byRecovery);
  return signedList(checked, statement, {
    added: add,
    before: epochs.get(before),
    committer: needsVault ? committer : undefined,
    options,
  });
}

/** Creates a recovery key for an identity. */
export async function createTestRecovery({ list, identity }: CheckedList) {
  const keys = await deriveRecoveryKeys(createRecoverySeed(), list.account);
  return { key: keys.signing, listed: await toListedRecovery(keys, list.account, identity) };
}

export async function createTestOffer(device: TestDevice): Promise<Bytes> {
  const boxKeys = await createTestBoxKeys(device);
  return encodeOffer({ device: device.id, kind: device.kind, signKey: device.signKey, boxKeys });
}

export const signTestClaim = async ({ id, key, account }: TestDevice, sessionId: string): Promise<Buffer> =>
  Buffer.from(await signClaim(key, { account, device: id, session: fromUuid(sessionId) }));
