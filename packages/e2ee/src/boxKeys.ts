import { compareBytes, equalBytes, type Bytes } from './bytes.ts';
import { exactly, id, time, tuple, uint, type Reader } from './encoding.ts';
import { boxKeysReader, findDevice, toEncodableBoxKeys, type DeviceList, type PublicBoxKeys } from './lists.ts';
import {
  createBoxKey,
  hpkeOpen,
  hpkeSeal,
  isSignatureValid,
  randomBytes,
  signBytes,
  type BoxKey,
  type SigningKey,
} from './primitives.ts';
import { Refusal } from './refusal.ts';
import { assertSealable } from './sealable.ts';
import { assertSignedBy, protocolVersion, readBody, signStatement, type Statement } from './statements.ts';

/** Keys of a device that boxes are sealed to (docs/encryption.md, section 3). */

export interface BoxKeysStatement {
  readonly account: Bytes;
  readonly device: Bytes;
  /** Counts the renewals of this device from 0. */
  readonly number: number;
  readonly keys: PublicBoxKeys;
  /** Milliseconds since 1970 on the device's clock. */
  readonly at: number;
}

/** Key pairs of one number: X25519 and X-Wing. */
export interface BoxKeyPairs {
  readonly x25519: BoxKey;
  readonly xWing: BoxKey;
}

const statementType = 'boxkeys';
const maxNumberStep = 1_000;

const reader: Reader<BoxKeysStatement> = (value) => {
  const [, account, device, number, keys, at] = tuple(
    exactly(protocolVersion),
    id,
    id,
    uint(),
    boxKeysReader,
    time,
  )(value);
  return { account, device, number, keys, at };
};

/** Creates the key pairs of one number. */
export const createBoxKeyPairs = async (): Promise<BoxKeyPairs> => ({
  x25519: await createBoxKey(1),
  xWing: await createBoxKey(2),
});

/** Returns the public halves of key pairs. */
export const toPublicBoxKeys = ({ x25519, xWing }: BoxKeyPairs): PublicBoxKeys => ({
  x25519: x25519.publicKey,
  xWing: xWing.publicKey,
});

/**
 * Signs, verifies, seals, and opens once. A client does this with keys as it read them back from its store, before any
 * statement names them.
 *
 * @throws Refusal `signature` or `unopened` if the keys do not work; an error of the engine if it has lost them
 */
export async function assertKeysWork(signing: SigningKey, { x25519, xWing }: BoxKeyPairs): Promise<void> {
  const probe = randomBytes(32);
  if (!(await isSignatureValid(signing.publicKey, probe, await signBytes(signing, probe))))
    throw new Refusal('signature', 'a signing key that does not work');
  for (const key of [x25519, xWing]) {
    const opened = await hpkeOpen(key, probe, await hpkeSeal(key.suite, key.publicKey, probe, probe));
    if (!equalBytes(opened, probe)) throw new Refusal('unopened', 'box keys that do not work');
  }
}

/** Signs box keys as their device. */
export const signBoxKeys = (
  key: SigningKey,
  { account, device, number, keys, at }: BoxKeysStatement,
): Promise<Statement> =>
  signStatement(statementType, key, [protocolVersion, account, device, number, toEncodableBoxKeys(keys), at]);

/** Reads box keys without checking them. */
export const readBoxKeys = (statement: Pick<Statement, 'body'>): BoxKeysStatement => readBody(statement, reader);

/** Box keys that a client has seen of a device: their number and body. */
export interface SeenBoxKeys {
  readonly number: number;
  readonly body: Bytes;
}

/**
 * Checks the box keys of a listed device against the list and what this client saw before.
 *
 * @throws Refusal `subject` for another account or a device that is not listed, `old` for a lower number than seen,
 *   `order` for one more than 1,000 higher, `fork` for a second statement with the same number, `malformed` for keys
 *   that nothing can be sealed to
 */
export async function checkBoxKeys(
  statement: Statement,
  list: DeviceList,
  device: Bytes,
  seen?: SeenBoxKeys,
): Promise<BoxKeysStatement> {
  const read = readBoxKeys(statement);
  const listed = findDevice(list, device);
  if (!listed || compareBytes(read.account, list.account) !== 0 || compareBytes(read.device, device) !== 0)
    throw new Refusal('subject', 'box keys of another device');
  await assertSignedBy(statementType, listed.signKey, statement);
  if (seen && read.number < seen.number) throw new Refusal('old', 'box keys older than seen before');
  // The highest number would leave no next one, and no device renews a thousand times unseen.
  if (read.number > (seen?.number ?? 0) + maxNumberStep) throw new Refusal('order', 'a number that is too high');
  if (seen?.number === read.number && compareBytes(seen.body, statement.body) !== 0)
    throw new Refusal('fork', 'two box keys with one number');
  if (!seen || seen.number < read.number) await assertSealable(read.keys);
  return read;
}
