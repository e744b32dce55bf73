import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256, type KemInterface } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, equalBytes, fromHex, utf8, type Bytes } from './bytes.ts';
import { Refusal } from './refusal.ts';

/**
 * The only module that calls primitives (docs/encryption.md, section 2). They come from WebCrypto where the engine has
 * them, otherwise from maintained libraries.
 */

const { subtle } = globalThis.crypto;

type EngineKey = Awaited<ReturnType<typeof subtle.importKey>>;
interface EngineKeyPair {
  readonly publicKey: EngineKey;
  readonly privateKey: EngineKey;
}

/** Private key: a handle of the engine, or the 32 secret bytes where the engine has no handle for it. */
export type PrivateKey = EngineKey | Bytes;

/** Returns random bytes of the engine. */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

const digest = async (algorithm: string, data: Bytes): Promise<Bytes> =>
  new Uint8Array(await subtle.digest(algorithm, data));

/** SHA-256. */
export const sha256 = (data: Bytes): Promise<Bytes> => digest('SHA-256', data);
/** SHA-512, for the number that people compare. */
export const sha512 = (data: Bytes): Promise<Bytes> => digest('SHA-512', data);

/** Label of a purpose: separates the uses of one key or hash. */
export const labelOf = (purpose: string): Bytes => concatBytes(utf8(`nolo/1/${purpose}`), new Uint8Array(1));

/** Hash of bytes for one purpose. */
export const hashFor = (purpose: string, data: Uint8Array): Promise<Bytes> =>
  sha256(concatBytes(labelOf(purpose), data));

const noBytes: Bytes = new Uint8Array();

/** HKDF-SHA-256 (RFC 5869) with the purpose and the context as info. */
export async function deriveBytes(
  secret: Bytes,
  purpose: string,
  { salt = noBytes, context = noBytes, length = 32 }: { salt?: Bytes; context?: Uint8Array; length?: number } = {},
): Promise<Bytes> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const info = concatBytes(labelOf(purpose), context);
  return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8));
}

/** Nonce for keys that seal once. */
const zeroNonce: Bytes = new Uint8Array(12);

const gcmKey = (key: Bytes, usage: 'encrypt' | 'decrypt') => subtle.importKey('raw', key, 'AES-GCM', false, [usage]);

/** Seals with AES-256-GCM. Without a nonce, the key must be used for this one call only. */
export async function aeadSeal(key: Bytes, additionalData: Bytes, plain: Bytes, nonce = zeroNonce): Promise<Bytes> {
  const parameters = { name: 'AES-GCM', iv: nonce, additionalData };
  return new Uint8Array(await subtle.encrypt(parameters, await gcmKey(key, 'encrypt'), plain));
}

/**
 * Opens what `aeadSeal` sealed.
 *
 * @throws Refusal `unopened` if the key, nonce, additional data, or ciphertext differ
 */
export async function aeadOpen(key: Bytes, additionalData: Bytes, sealed: Bytes, nonce = zeroNonce): Promise<Bytes> {
  const parameters = { name: 'AES-GCM', iv: nonce, additionalData };
  try {
    return new Uint8Array(await subtle.decrypt(parameters, await gcmKey(key, 'decrypt'), sealed));
  } catch {
    throw new Refusal('unopened', 'the ciphertext does not open');
  }
}

let nativeEd25519: Promise<boolean> | undefined;

/** Returns true if the engine has Ed25519. Firefox before 129 and Chromium before 137 have not. */
function hasNativeEd25519(): Promise<boolean> {
  nativeEd25519 ??= subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
    () => true,
    () => false,
  );
  return nativeEd25519;
}

export interface SigningKey {
  readonly publicKey: Bytes;
  readonly privateKey: PrivateKey;
}

/** Creates an Ed25519 key pair, not extractable where the engine has Ed25519. */
export async function createSigningKey(): Promise<SigningKey> {
  if (!(await hasNativeEd25519())) return signingKeyFromSeed(randomBytes(32));
  const pair = (await subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as EngineKeyPair;
  const publicKey = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  return { publicKey, privateKey: pair.privateKey };
}

/** Returns the Ed25519 key pair of a 32-byte seed (RFC 8032, section 5.1.5). */
export function signingKeyFromSeed(seed: Bytes): SigningKey {
  return { publicKey: Uint8Array.from(ed25519.getPublicKey(seed)), privateKey: seed };
}

/** Signs with Ed25519. */
export async function signBytes({ privateKey }: SigningKey, message: Bytes): Promise<Bytes> {
  if (privateKey instanceof Uint8Array) return Uint8Array.from(ed25519.sign(message, privateKey));
  return new Uint8Array(await subtle.sign('Ed25519', privateKey, message));
}

const fieldPrime = 2n ** 255n - 19n;
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Encodings of the points of small order, with the sign bit cleared. */
const smallOrder = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
].map(fromHex);

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Returns true for a canonical encoding of a point that is not of small order. */
function isStrictPoint(encoded: Uint8Array): boolean {
  const unsigned = Uint8Array.from(encoded);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return littleEndian(unsigned) < fieldPrime && !smallOrder.some((point) => equalBytes(point, unsigned));
}

/**
 * Verifies an Ed25519 signature. Engines differ about points of small order and about encodings that are not canonical,
 * so these are refused before the engine sees them.
 */
export async function isSignatureValid(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  if (!isStrictPoint(publicKey) || !isStrictPoint(signature.subarray(0, 32))) return false;
  if (littleEndian(signature.subarray(32)) >= groupOrder) return false;
  if (!(await hasNativeEd25519())) return ed25519.verify(signature, message, publicKey, { zip215: false });
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, message);
  } catch {
    // The key is not a point of the curve.
    return false;
  }
}

/** KEM of a box: 1 is X25519, 2 is X-Wing (X25519 with ML-KEM-768). */
export type SuiteId = 1 | 2;

/** Lengths in bytes of a public key and of an encapsulated key. */
export const suiteLengths = {
  1: { publicKey: 32, encapsulated: 32 },
  2: { publicKey: 1_216, encapsulated: 1_120 },
} as const satisfies Record<SuiteId, object>;

interface Suite {
  readonly kem: KemInterface;
  readonly hpke: CipherSuite;
}

const suites = new Map<SuiteId, Suite>();

function suiteOf(id: SuiteId): Suite {
  const known = suites.get(id);
  if (known) return known;
  const kem = id === 1 ? new DhkemX25519HkdfSha256() : new XWing();
  const suite = { kem, hpke: new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() }) };
  suites.set(id, suite);
  return suite;
}

export interface BoxKey {
  readonly suite: SuiteId;
  readonly publicKey: Bytes;
  readonly privateKey: PrivateKey;
}

/** Returns the key pair of a seed, by the suite's DeriveKeyPair (RFC 9180, section 7.1.3; X-Wing, section 5.2). */
export async function boxKeyFromSeed(suite: SuiteId, seed: Bytes): Promise<BoxKey> {
  const { kem } = suiteOf(suite);
  const pair = await kem.deriveKeyPair(seed.buffer);
  return {
    suite,
    publicKey: new Uint8Array(await kem.serializePublicKey(pair.publicKey)),
    privateKey: new Uint8Array(await kem.serializePrivateKey(pair.privateKey)),
  };
}

/** Creates a key pair for boxes. */
export async function createBoxKey(suite: SuiteId): Promise<BoxKey> {
  return boxKeyFromSeed(suite, randomBytes(32));
}

/** HPKE ciphertext (RFC 9180, mode base). */
export interface HpkeSealed {
  readonly encapsulated: Bytes;
  readonly ciphertext: Bytes;
}

/**
 * Seals to a public key.
 *
 * @throws Refusal `malformed` if the public key is not valid
 */
export async function hpkeSeal(suite: SuiteId, publicKey: Bytes, info: Bytes, plain: Bytes): Promise<HpkeSealed> {
  const { kem, hpke } = suiteOf(suite);
  try {
    const recipientPublicKey = await kem.importKey('raw', publicKey.buffer, true);
    const { enc, ct } = await hpke.seal({ recipientPublicKey, info: info.buffer }, plain.buffer);
    return { encapsulated: new Uint8Array(enc), ciphertext: new Uint8Array(ct) };
  } catch {
    throw new Refusal('malformed', 'not a public key of this suite');
  }
}

/**
 * Opens what `hpkeSeal` sealed.
 *
 * @throws Refusal `unopened` if it was sealed to another key, with another info, or changed
 */
export async function hpkeOpen(key: BoxKey, info: Bytes, { encapsulated, ciphertext }: HpkeSealed): Promise<Bytes> {
  const { kem, hpke } = suiteOf(key.suite);
  try {
    const recipientKey =
      key.privateKey instanceof Uint8Array ? await kem.importKey('raw', key.privateKey.buffer, false) : key.privateKey;
    const opened = await hpke.open({ recipientKey, enc: encapsulated.buffer, info: info.buffer }, ciphertext.buffer);
    return new Uint8Array(opened);
  } catch {
    throw new Refusal('unopened', 'the box does not open');
  }
}
