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
import type { SignedStatement } from '@nolo/proto/keys';

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
  const keys = toPublicBoxKeys(await createBoxKeyPairs());
  return signBoxKeys(key, { account, device: id, number, keys, at });
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

/** List with the box keys of what it adds, ready to be sent, and as a client that checked it sees it. */
export interface SignedList {
  checked: CheckedList;
  statement: Statement;
  message: { list: SignedStatement; boxKeys: SignedStatement[] };
}

const signedList = async (
  checked: CheckedList,
  statement: Statement,
  added: readonly TestDevice[],
): Promise<SignedList> => ({
  checked,
  statement,
  message: {
    list: toMessage(statement),
    boxKeys: await Promise.all(added.map(async (device) => toMessage(await createTestBoxKeys(device)))),
  },
});

export async function signFirstList(device: TestDevice): Promise<SignedList> {
  const statement = await signList(device.key, firstListOf(device));
  return signedList(await checkFirstList(statement), statement, [device]);
}

export interface ListChanges {
  add?: TestDevice[];
  remove?: TestDevice[];
  recovery?: DeviceList['recovery'];
}

/** Signs the list after another one, as a device or (without `id`) as the recovery key. */
export async function signNextList(
  before: CheckedList,
  signer: { id?: Bytes; key: SigningKey },
  { add = [], remove = [], recovery }: ListChanges,
): Promise<SignedList> {
  const changes = {
    add: add.map(({ id, kind, signKey }) => ({ id, kind, signKey })),
    remove: remove.map(({ id }) => id),
    ...(recovery !== undefined && { recovery }),
  };
  const list = followList(before, signer.id ?? recoverySigner, Date.now(), changes);
  const statement = await signList(signer.key, list);
  return signedList(await checkNextList(before, statement), statement, add);
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
