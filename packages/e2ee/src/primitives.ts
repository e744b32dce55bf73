import {
  Aes256Gcm,
  CipherSuite,
  DhkemX25519HkdfSha256 as EngineDhkemX25519,
  HkdfSha256,
  type KemInterface,
} from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import { XWing } from '@hpke/hybridkem-x-wing';
import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, equalBytes, fromHex, toHex, utf8, type Bytes } from './bytes.ts';
import { Refusal } from './refusal.ts';

/**
 * The only module that calls primitives of the protocol (docs/encryption.md, section 2). They come from WebCrypto where
 * the engine has them, otherwise from maintained libraries. What a device stores is sealed by `storeKey.ts`.
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

/** HKDF-SHA-256 (RFC 5869), exported for its test vectors. All else calls `deriveBytes`, which separates purposes. */
export async function hkdf(secret: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8));
}

/** HKDF-SHA-256 with the purpose and the context as info. */
export const deriveBytes = (
  secret: Bytes,
  purpose: string,
  { salt = noBytes, context = noBytes, length = 32 }: { salt?: Bytes; context?: Uint8Array; length?: number } = {},
): Promise<Bytes> => hkdf(secret, salt, concatBytes(labelOf(purpose), context), length);

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

/** Creates a key pair. Asks twice, because WebKitGTK refuses one in 256: private keys that begin with a zero byte. */
async function generateSigningPair(): Promise<EngineKeyPair> {
  const generate = () => subtle.generateKey('Ed25519', false, ['sign', 'verify']) as Promise<EngineKeyPair>;
  return generate().catch(generate);
}

let nativeSigning: Promise<boolean> | undefined;

/** Returns true if the engine has Ed25519. Firefox before 130 and Chromium before 137 lack it. */
function signsNatively(): Promise<boolean> {
  nativeSigning ??= generateSigningPair().then(
    () => true,
    () => false,
  );
  return nativeSigning;
}

export interface SigningKey {
  readonly publicKey: Bytes;
  readonly privateKey: PrivateKey;
}

/**
 * Creates an Ed25519 key pair, not extractable where the engine has Ed25519.
 *
 * @param form `bytes` keeps the private key as bytes, for stores that take no handles of the engine
 */
export async function createSigningKey(form: 'engine' | 'bytes' = 'engine'): Promise<SigningKey> {
  if (form === 'bytes' || !(await signsNatively())) return signingKeyFromSeed(randomBytes(32));
  const pair = await generateSigningPair();
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

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Returns 32 little-endian bytes of a number, as encodings of points and scalars have them. */
const toLittleEndian = (number: bigint): Bytes =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(at * 8)) & 0xffn));

const fieldPrimeBytes = toLittleEndian(2n ** 255n - 19n);
const groupOrderBytes = toLittleEndian(groupOrder);

/** Returns true if the first little-endian number is lower. Both have the same length. */
function isLower(a: Uint8Array, b: Uint8Array): boolean {
  for (let at = a.length - 1; at >= 0; at -= 1) {
    const [own, other] = [a[at] ?? 0, b[at] ?? 0];
    if (own !== other) return own < other;
  }
  return false;
}

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
  return isLower(unsigned, fieldPrimeBytes) && !smallOrder.some((point) => equalBytes(point, unsigned));
}

/** Verifies as engines do. The library's own `verify` multiplies by the cofactor, and so accepts more. */
async function verifyWithoutEngine(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  const [R, S] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))];
  const challenge = littleEndian(await sha512(concatBytes(R, publicKey, message))) % groupOrder;
  try {
    const A = ed25519.Point.fromBytes(publicKey);
    const expected = ed25519.Point.BASE.multiplyUnsafe(S).subtract(A.multiplyUnsafe(challenge));
    return equalBytes(expected.toBytes(), R);
  } catch {
    // The key is not a point of the curve.
    return false;
  }
}

const maxVerifyKeys = 1_024;
const verifyKeys = new Map<string, EngineKey>();

/** Returns the engine's handle of a public key. Importing a key takes as long as hashing a message. */
async function importVerifyKey(publicKey: Bytes): Promise<EngineKey> {
  const name = toHex(publicKey);
  const known = verifyKeys.get(name);
  if (known) return known;
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  const [oldest] = verifyKeys.keys();
  if (verifyKeys.size >= maxVerifyKeys && oldest !== undefined) verifyKeys.delete(oldest);
  verifyKeys.set(name, key);
  return key;
}

/**
 * Verifies an Ed25519 signature. Engines differ about points of small order and about encodings that are not canonical,
 * so these are refused before the engine sees them.
 */
export async function isSignatureValid(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  if (!isStrictPoint(publicKey) || !isStrictPoint(signature.subarray(0, 32))) return false;
  if (!isLower(signature.subarray(32), groupOrderBytes)) return false;
  if (!(await signsNatively())) return verifyWithoutEngine(publicKey, message, signature);
  try {
    const key = await importVerifyKey(publicKey);
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

/*
 * The marks let bundles leave out what they do not use: the service worker opens messages and no boxes.
 */

const xWing = /* @__PURE__ */ new XWing();

const suiteWith = (kem: KemInterface): Suite => ({
  kem,
  hpke: new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() }),
});

/** Private keys are bytes here, of which WebKitGTK's X25519 refuses one in thirty. So the engine only seals. */
const suites: Readonly<Record<SuiteId, Suite>> = {
  1: /* @__PURE__ */ suiteWith(/* @__PURE__ */ new DhkemX25519HkdfSha256()),
  2: /* @__PURE__ */ suiteWith(xWing),
};
/** Twice as fast, which counts in large groups. */
const engineSuite = /* @__PURE__ */ suiteWith(/* @__PURE__ */ new EngineDhkemX25519());

/** Copies bytes into a buffer of their own: the library takes whole buffers, and changes some of them. */
const toBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

export interface BoxKey {
  readonly suite: SuiteId;
  readonly publicKey: Bytes;
  readonly privateKey: PrivateKey;
}

/**
 * Returns the key pair of a seed of 32 bytes: of X25519 by DeriveKeyPair (RFC 9180, section 7.1.3); of X-Wing the seed
 * is the private key, because its drafts have different functions named DeriveKeyPair.
 */
export async function boxKeyFromSeed(suite: SuiteId, seed: Bytes): Promise<BoxKey> {
  const { kem } = suites[suite];
  const pair =
    suite === 1 ? await kem.deriveKeyPair(toBuffer(seed)) : await xWing.generateKeyPairDerand(Uint8Array.from(seed));
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
  const seal = async ({ kem, hpke }: Suite): Promise<HpkeSealed> => {
    const recipientPublicKey = await kem.importKey('raw', toBuffer(publicKey), true);
    const { enc, ct } = await hpke.seal({ recipientPublicKey, info: toBuffer(info) }, toBuffer(plain));
    return { encapsulated: new Uint8Array(enc), ciphertext: new Uint8Array(ct) };
  };
  try {
    // An engine may lack the curve, or fail to create a key, so its refusal means nothing.
    return await (suite === 1 ? seal(engineSuite).catch(() => seal(suites[1])) : seal(suites[suite]));
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
  const { kem, hpke } = suites[key.suite];
  try {
    const recipientKey =
      key.privateKey instanceof Uint8Array
        ? await kem.importKey('raw', toBuffer(key.privateKey), false)
        : key.privateKey;
    const parameters = { recipientKey, enc: toBuffer(encapsulated), info: toBuffer(info) };
    const opened = await hpke.open(parameters, toBuffer(ciphertext));
    return new Uint8Array(opened);
  } catch {
    throw new Refusal('unopened', 'the box does not open');
  }
}
