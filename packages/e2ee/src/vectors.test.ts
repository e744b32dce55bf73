import { jest } from '@jest/globals';
import { createCipheriv, createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { shake128 } from '@noble/hashes/sha3.js';
import { concatBytes, fromHex, toHex, utf8, type Bytes } from './bytes.ts';
import type * as primitivesModule from './primitives.ts';

// The public test vectors (../vectors/README.md), for engines with and without the curves.

const readTests = <T>(name: string): T[] =>
  (JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as { tests: T[] }).tests;

type Primitives = typeof primitivesModule;

const { subtle } = crypto;
const curves = ['Ed25519', 'X25519'];

const nameOf = (algorithm: unknown): string =>
  typeof algorithm === 'string' ? algorithm : (algorithm as { name: string }).name;

/** Loads the primitives into an engine that refuses the curves, as those do which lack them. */
async function loadWithoutCurves(): Promise<Primitives> {
  for (const [method, place] of [
    ['generateKey', 0],
    ['importKey', 2],
  ] as const) {
    const original = subtle[method].bind(subtle) as (...args: unknown[]) => Promise<never>;
    const replaced = (...args: unknown[]) => {
      const name = nameOf(args[place]);
      return curves.includes(name) ? Promise.reject(new DOMException(name, 'NotSupportedError')) : original(...args);
    };
    jest.spyOn(subtle, method).mockImplementation(replaced as never);
  }
  jest.resetModules();
  return import('./primitives.ts');
}

/** Outcome of an operation: the hexadecimal result, or the code of the refusal. */
const outcomeOf = (promise: Promise<Bytes>): Promise<string> =>
  promise.then(toHex, (error: { code?: string }) => String(error.code));

const hmac = (key: Uint8Array, ...parts: Uint8Array[]) =>
  Uint8Array.from(
    createHmac('sha256', key)
      .update(concatBytes(...parts))
      .digest(),
  );
const twoBytes = (number: number) => Uint8Array.of(number >> 8, number & 0xff);
const none = new Uint8Array();
const kemId = concatBytes(utf8('KEM'), twoBytes(0x20));
const hpkeId = concatBytes(utf8('HPKE'), twoBytes(0x20), twoBytes(1), twoBytes(2));
const extract = (salt: Uint8Array, suite: Uint8Array, label: string, secret: Uint8Array) =>
  hmac(salt, utf8('HPKE-v1'), suite, utf8(label), secret);
const expand = (key: Uint8Array, suite: Uint8Array, label: string, info: Uint8Array, length: number) =>
  hmac(key, twoBytes(length), utf8('HPKE-v1'), suite, utf8(label), info, Uint8Array.of(1)).slice(0, length);

function publicKeyOf(privateKey: Bytes): Bytes {
  const key = concatBytes(fromHex('302e020100300506032b656e04220420'), privateKey);
  const exported = createPublicKey(createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' }));
  return Uint8Array.from(exported.export({ format: 'der', type: 'spki' }).subarray(-32));
}

/** Seals by RFC 9180 with a known result of X25519, which the library cannot be told. */
function sealWith(shared: Bytes, encapsulated: Bytes, publicKey: Bytes, info: Bytes, plain: Bytes): Bytes {
  const agreed = extract(none, kemId, 'eae_prk', shared);
  const secret = expand(agreed, kemId, 'shared_secret', concatBytes(encapsulated, publicKey), 32);
  const [noPsk, infoHash] = [extract(none, hpkeId, 'psk_id_hash', none), extract(none, hpkeId, 'info_hash', info)];
  const context = concatBytes(Uint8Array.of(0), noPsk, infoHash);
  const main = extract(secret, hpkeId, 'secret', none);
  const [key, nonce] = [expand(main, hpkeId, 'key', context, 32), expand(main, hpkeId, 'base_nonce', context, 12)];
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return concatBytes(cipher.update(plain), cipher.final(), cipher.getAuthTag());
}

test('an engine that refuses some keys creates signing keys of its own, and opens boxes', async () => {
  const refuse = () => Promise.reject(new DOMException('refused', 'OperationError'));
  const generate = jest.spyOn(subtle, 'generateKey').mockImplementationOnce(refuse);
  const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<never>;
  const imports = (...given: unknown[]) => (nameOf(given[2]) === 'X25519' ? refuse() : importKey(...given));
  jest.spyOn(subtle, 'importKey').mockImplementation(imports as never);
  jest.resetModules();
  const { boxKeyFromSeed, createSigningKey, hpkeOpen, hpkeSeal } = await import('./primitives.ts');
  await createSigningKey();
  generate.mockImplementationOnce(refuse);
  expect((await createSigningKey()).privateKey).toBeInstanceOf(CryptoKey);
  const key = await boxKeyFromSeed(1, new Uint8Array(32));
  expect(await hpkeOpen(key, none, await hpkeSeal(1, key.publicKey, none, utf8('plain')))).toEqual(utf8('plain'));
  jest.restoreAllMocks();
});

const engines = [
  ['an engine with the curves', () => import('./primitives.ts')],
  ['an engine without them', loadWithoutCurves],
] as const;

describe.each(engines)('in %s', (name, load) => {
  let primitives: Primitives;
  beforeAll(async () => {
    primitives = await load();
  });
  afterAll(() => jest.restoreAllMocks());

  test('Ed25519 verifies what Wycheproof calls valid', async () => {
    const tests = readTests<Record<'key' | 'message' | 'signature' | 'result', string>>('ed25519');
    expect(tests.length).toBeGreaterThan(140);
    for (const { key, message, signature, result, ...rest } of tests) {
      const valid = await primitives.isSignatureValid(fromHex(key), fromHex(message), fromHex(signature));
      expect({ ...rest, valid }).toEqual({ ...rest, valid: result === 'valid' });
    }
  });

  test('Ed25519 verifies without cofactor, and refuses points of small order and other encodings', async () => {
    const { signatures } = JSON.parse(readFileSync(new URL('../vectors/nolo.json', import.meta.url), 'utf8')) as {
      signatures: (Record<'why' | 'key' | 'message' | 'signature', string> & { valid: boolean })[];
    };
    for (const { why, key, message, signature, valid } of signatures) {
      const verdict = await primitives.isSignatureValid(fromHex(key), fromHex(message), fromHex(signature));
      expect([why, verdict]).toEqual([why, valid]);
    }
    expect(signatures.filter(({ valid }) => valid)).toHaveLength(2);
  });

  test('keys of one seed sign the same, whoever signs', async () => {
    const seed = fromHex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
    const key = primitives.signingKeyFromSeed(seed);
    expect(toHex(key.publicKey)).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    // RFC 8032, section 7.1, test 1.
    expect(toHex(await primitives.signBytes(key, none))).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
    const created = await primitives.createSigningKey();
    expect(created.privateKey instanceof Uint8Array).toBe(name === 'an engine without them');
    const signature = await primitives.signBytes(created, seed);
    expect(await primitives.isSignatureValid(created.publicKey, seed, signature)).toBe(true);
  });

  test('boxes open with the X25519 results of Wycheproof, and never with a result of zero', async () => {
    const tests = readTests<Record<'public' | 'private' | 'shared', string>>('x25519');
    let refused = 0;
    for (const one of tests) {
      const [encapsulated, privateKey, shared] = [one.public, one.private, one.shared].map(fromHex) as Bytes[];
      const publicKey = publicKeyOf(privateKey!);
      const ciphertext = sealWith(shared!, encapsulated!, publicKey, utf8('info'), utf8('plain'));
      const key = { suite: 1 as const, publicKey, privateKey: privateKey! };
      const opened = primitives.hpkeOpen(key, utf8('info'), { encapsulated: encapsulated!, ciphertext });
      const isZero = shared!.every((byte) => byte === 0);
      refused += Number(isZero);
      expect([one, await outcomeOf(opened)]).toEqual([one, isZero ? 'unopened' : toHex(utf8('plain'))]);
    }
    expect([tests.length, refused]).toEqual([188, 31]);
  });

  test('HPKE passes the vectors of RFC 9180', async () => {
    const tests =
      readTests<Record<'info' | 'ikmE' | 'ikmR' | 'privateKey' | 'publicKey' | 'encapsulated' | 'encryptions', string>>(
        'hpke',
      );
    for (const vector of tests) {
      const key = await primitives.boxKeyFromSeed(1, fromHex(vector.ikmR));
      expect(toHex(key.publicKey)).toBe(vector.publicKey);
      const given = { ...key, privateKey: fromHex(vector.privateKey) };
      const info = fromHex(vector.info);
      const sealed = await primitives.hpkeSeal(1, key.publicKey, info, info);
      for (const one of [key, given]) expect(await primitives.hpkeOpen(one, info, sealed)).toEqual(info);
    }
    expect(tests).toHaveLength(1);
  });

  test('X-Wing keys are the seeds of its vectors', async () => {
    for (const { privateKey, publicKey } of readTests<Record<'privateKey' | 'publicKey', string>>('xWing')) {
      const key = await primitives.boxKeyFromSeed(2, fromHex(privateKey));
      expect([toHex(key.publicKey), toHex(key.privateKey as Bytes)]).toEqual([publicKey, privateKey]);
    }
  });

  test.each([1, 2] as const)('boxes of suite %s open for their key only', async (suite) => {
    const [key, other] = [await primitives.createBoxKey(suite), await primitives.createBoxKey(suite)];
    // Views into longer buffers, which the library would take whole.
    const info = utf8('another info').subarray(8);
    const plain = utf8('more than the plain text').subarray(14);
    const { encapsulated, ciphertext } = await primitives.hpkeSeal(suite, key.publicKey, info, plain);
    const sealed = {
      encapsulated: concatBytes(none, encapsulated, info).subarray(0, encapsulated.length),
      ciphertext: concatBytes(info, ciphertext).subarray(info.length),
    };
    expect(await outcomeOf(primitives.hpkeOpen(key, utf8('info'), sealed))).toBe(toHex(utf8('plain text')));
    expect(await outcomeOf(primitives.hpkeOpen(other, info, sealed))).toBe('unopened');
    expect(await outcomeOf(primitives.hpkeOpen(key, plain, sealed))).toBe('unopened');
    expect(await outcomeOf(primitives.hpkeOpen(key, info, { ...sealed, encapsulated: info }))).toBe('unopened');
    const short = primitives.hpkeSeal(suite, key.publicKey.subarray(1), info, plain);
    await expect(short).rejects.toMatchObject({ code: 'malformed' });
  });
});

test('AES-256-GCM opens what Wycheproof calls valid, and seals the same', async () => {
  const { aeadOpen, aeadSeal } = await import('./primitives.ts');
  const tests = readTests<Record<'key' | 'nonce' | 'data' | 'plain' | 'sealed' | 'result', string>>('aesGcm');
  for (const { result, ...vector } of tests) {
    const [key, nonce, data, plain, sealed] = [vector.key, vector.nonce, vector.data, vector.plain, vector.sealed].map(
      fromHex,
    ) as [Bytes, Bytes, Bytes, Bytes, Bytes];
    const opened = await outcomeOf(aeadOpen(key, data, sealed, nonce));
    expect([vector, opened]).toEqual([vector, result === 'valid' ? vector.plain : 'unopened']);
    if (result === 'valid') expect(toHex(await aeadSeal(key, data, plain, nonce))).toBe(vector.sealed);
  }
  expect(tests).toHaveLength(66);
});

test('HKDF-SHA-256 derives what Wycheproof derives', async () => {
  const { hkdf } = await import('./primitives.ts');
  const tests = readTests<Record<'secret' | 'salt' | 'info' | 'derived' | 'result', string> & { size: number }>('hkdf');
  for (const { secret, salt, info, size, derived, result } of tests) {
    const made = hkdf(fromHex(secret), fromHex(salt), fromHex(info), size);
    if (result === 'valid') expect(toHex(await made)).toBe(derived);
    else await expect(made).rejects.toThrow();
  }
  expect(tests).toHaveLength(86);
});

// The primitives draw the random bytes of boxes themselves, so these give theirs to the library.

test('the key schedule of HPKE seals the thousand texts of the RFC 9180 vector', async () => {
  const [vector] = readTests<Record<'info' | 'ikmE' | 'publicKey' | 'encapsulated' | 'encryptions', string>>('hpke');
  const kem = new DhkemX25519HkdfSha256();
  const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const recipientPublicKey = await kem.importKey('raw', fromHex(vector!.publicKey).buffer, true);
  const ekm = fromHex(vector!.ikmE).buffer;
  const sender = await suite.createSenderContext({ recipientPublicKey, info: fromHex(vector!.info).buffer, ekm });
  expect(toHex(new Uint8Array(sender.enc))).toBe(vector!.encapsulated);
  const [source, sink] = [shake128.create({}), shake128.create({ dkLen: 16 })];
  const draw = () => Uint8Array.from(source.xof(source.xof(1)[0]!)).buffer;
  for (let count = 0; count < 1_000; count += 1) {
    const data = draw();
    sink.update(new Uint8Array(await sender.seal(draw(), data)));
  }
  expect(toHex(sink.digest())).toBe(vector!.encryptions);
});

test('X-Wing agrees on the secrets of its vectors', async () => {
  const kem = new XWing();
  type Vector = Record<'privateKey' | 'publicKey' | 'encapsulated' | 'shared', string> & { random?: string };
  for (const { privateKey, publicKey, encapsulated, shared, random } of readTests<Vector>('xWing')) {
    const recipientKey = await kem.importKey('raw', fromHex(privateKey).buffer, false);
    const opened = await kem.decap({ recipientKey, enc: fromHex(encapsulated).buffer });
    expect(toHex(new Uint8Array(opened))).toBe(shared);
    if (random === undefined) continue;
    const recipientPublicKey = await kem.importKey('raw', fromHex(publicKey).buffer, true);
    const { enc, sharedSecret } = await kem.encap({ recipientPublicKey, ekm: fromHex(random).buffer });
    expect([enc, sharedSecret].map((one) => toHex(new Uint8Array(one)))).toEqual([encapsulated, shared]);
  }
});
