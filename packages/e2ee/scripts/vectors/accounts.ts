import { concatBytes, fromHex, toHex, type Bytes } from '../../src/bytes.ts';
import { checkBoxKeys, signBoxKeys, toPublicBoxKeys, type BoxKeyPairs, type SeenBoxKeys } from '../../src/boxKeys.ts';
import { encodeCanonical, type Encodable } from '../../src/encoding.ts';
import type { CheckedList } from '../../src/lists.ts';
import { computeSafetyNumber, readVerificationCode, writeVerificationCode } from '../../src/number.ts';
import { boxKeyFromSeed, hpkeSeal, labelOf, type SuiteId } from '../../src/primitives.ts';
import {
  deriveRecoveryKeys,
  fromRecoveryWords,
  toListedRecovery,
  toPasskeyPrfInput,
  toRecoveryWords,
  unwrapRecoverySeed,
  wrapRecoverySeed,
} from '../../src/recovery.ts';
import { signStatement, type Statement } from '../../src/statements.ts';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { laptop, phone } from './lists.ts';
import { account, at, bytesOf, changeByte, codeOf, pinToJson } from './make.ts';

const boxSeedOf = (name: string, suite: SuiteId) => bytesOf(`${name}: box key ${suite}`);

export const boxKeyPairsOf = async (name: string): Promise<BoxKeyPairs> => ({
  x25519: await boxKeyFromSeed(1, boxSeedOf(name, 1)),
  xWing: await boxKeyFromSeed(2, boxSeedOf(name, 2)),
});

/** Box keys of devices, for a list and what a client saw before. */
export async function makeBoxKeys(after: string, { list }: CheckedList) {
  const keys = toPublicBoxKeys(await boxKeyPairsOf('laptop'));
  const fields = { account, device: laptop.id, number: 3, keys, at };
  const signed = await signBoxKeys(laptop.key, fields);
  const twin = await signBoxKeys(laptop.key, { ...fields, at: at + 1 });
  const older = await signBoxKeys(laptop.key, { ...fields, number: 2 });
  const encodable = [
    [1, keys.x25519],
    [2, keys.xWing],
  ] as const;
  const bodyOf = (...change: Encodable[]) => signStatement('boxkeys', laptop.key, change);
  const cases: [why: string, statement: Statement, device: Bytes, seen?: SeenBoxKeys][] = [
    ['box keys that were not seen before', signed, laptop.id],
    ['box keys that were seen before', signed, laptop.id, { number: 3, body: signed.body }],
    ['newer box keys', signed, laptop.id, { number: 2, body: older.body }],
    ['older box keys', older, laptop.id, { number: 3, body: signed.body }],
    ['two box keys with one number', twin, laptop.id, { number: 3, body: signed.body }],
    ['box keys of another device', signed, phone.id],
    ['box keys of a device that is not listed', signed, bytesOf('nobody', 16)],
    [
      'box keys of another account',
      await signBoxKeys(laptop.key, { ...fields, account: bytesOf('else', 16) }),
      laptop.id,
    ],
    ['box keys signed by another device', await signBoxKeys(phone.key, fields), laptop.id],
    ['box keys of version 2', await bodyOf(2, account, laptop.id, 3, encodable, at), laptop.id],
    ['box keys in another order', await bodyOf(1, account, laptop.id, 3, encodable.toReversed(), at), laptop.id],
    ['box keys without X-Wing', await bodyOf(1, account, laptop.id, 3, encodable.slice(0, 1), at), laptop.id],
    [
      'box keys with a third suite',
      await bodyOf(1, account, laptop.id, 3, [...encodable, [3, keys.x25519]], at),
      laptop.id,
    ],
    [
      'box keys with a short key',
      await bodyOf(1, account, laptop.id, 3, [[1, keys.x25519.slice(1)], encodable[1]], at),
      laptop.id,
    ],
    ['box keys without a time', await bodyOf(1, account, laptop.id, 3, encodable), laptop.id],
  ];
  return Promise.all(
    cases.map(async ([why, statement, device, seen]) => ({
      why,
      after,
      device: toHex(device),
      seen: seen ? { number: seen.number, body: toHex(seen.body) } : null,
      body: toHex(statement.body),
      signature: toHex(statement.signature),
      code: await codeOf(() => checkBoxKeys(statement, list, device, seen)),
    })),
  );
}

/** Seeds of box keys and their public keys. */
export async function makeSeeds() {
  return Promise.all(
    ['laptop', 'phone'].flatMap((name) =>
      ([1, 2] as const).map(async (suite) => {
        const seed = boxSeedOf(name, suite);
        return { suite, seed: toHex(seed), key: toHex((await boxKeyFromSeed(suite, seed)).publicKey) };
      }),
    ),
  );
}

/** Public keys to which nobody seals. */
export async function makeRefusedKeys() {
  const { publicKey } = await boxKeyFromSeed(2, boxSeedOf('laptop', 2));
  const zeroPoint = publicKey.slice().fill(0, 1_184);
  const cases: [why: string, suite: SuiteId, key: Bytes][] = [
    ['an X25519 key of small order', 1, new Uint8Array(32)],
    ['a short X25519 key', 1, bytesOf('key', 31)],
    ['an X-Wing key with a coefficient above the modulus', 2, Uint8Array.from([0xff, 0xff, ...publicKey.subarray(2)])],
    ['an X-Wing key with an X25519 part of small order', 2, zeroPoint],
    ['a short X-Wing key', 2, publicKey.slice(1)],
  ];
  for (const [why, suite, key] of cases)
    if ((await codeOf(() => hpkeSeal(suite, key, key, key))) === null) throw new Error(`${why} was accepted`);
  return cases.map(([why, suite, key]) => ({ why, suite, key: toHex(key) }));
}

/** Boxes, sealed with fixed random bytes, which only the library takes. */
export async function makeBoxes() {
  const hash = bytesOf('header');
  const plain = bytesOf('secret');
  const made = [];
  for (const suite of [1, 2] as const) {
    const [seed, otherSeed] = [boxSeedOf('laptop', suite), boxSeedOf('phone', suite)];
    const kem = suite === 1 ? new DhkemX25519HkdfSha256() : new XWing();
    const hpke = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
    const info = concatBytes(labelOf('box'), hash, laptop.id);
    const recipientPublicKey = await kem.importKey('raw', (await boxKeyFromSeed(suite, seed)).publicKey.buffer, true);
    const ekm = bytesOf(`ephemeral ${suite}`, suite * 32).buffer;
    const sealed = await hpke.seal({ recipientPublicKey, info: info.buffer, ekm }, plain.buffer);
    const [encapsulated, ciphertext] = [new Uint8Array(sealed.enc), new Uint8Array(sealed.ct)];
    const common = { suite, purpose: 'box', hash, device: laptop.id, seed, encapsulated, ciphertext };
    made.push(
      { why: 'a box', ...common, plain },
      { why: 'a box for another key', ...common, seed: otherSeed, plain: null },
      { why: 'a box for another purpose', ...common, purpose: 'answer', plain: null },
      { why: 'a box for another header', ...common, hash: plain, plain: null },
      { why: 'a box for another device', ...common, device: phone.id, plain: null },
      { why: 'a changed box', ...common, ciphertext: changeByte(ciphertext, 0, (byte) => byte ^ 1), plain: null },
      {
        why: 'a box with another key',
        ...common,
        encapsulated: changeByte(encapsulated, -1, (byte) => byte ^ 1),
        plain: null,
      },
      { why: 'a box with a short key', ...common, encapsulated: encapsulated.slice(1), plain: null },
    );
    if (suite === 1)
      made.push({ why: 'a box with a key of small order', ...common, encapsulated: new Uint8Array(32), plain: null });
  }
  return made.map(({ why, suite, purpose, hash: of, device, seed, encapsulated, ciphertext, plain: text }) => ({
    why,
    purpose,
    hash: toHex(of),
    seed: toHex(seed),
    box: toHex(encodeCanonical([device, 7, suite, encapsulated, ciphertext])),
    plain: text && toHex(text),
  }));
}

/** Recovery keys that follow from words, and words that are refused. */
export async function makeRecovery(identity: Bytes) {
  const seeds = [bytesOf('own: recovery'), new Uint8Array(32), new Uint8Array(32).fill(0xff)];
  const keys = await Promise.all(
    seeds.map(async (seed) => {
      const derived = await deriveRecoveryKeys(seed, account);
      const { consent } = await toListedRecovery(derived, account, identity);
      return {
        words: toRecoveryWords(seed).join(' '),
        seed: toHex(seed),
        account: toHex(account),
        identity: toHex(identity),
        signKey: toHex(derived.signing.publicKey),
        x25519: toHex(derived.boxes.x25519.publicKey),
        xWing: toHex(derived.boxes.xWing.publicKey),
        consent: toHex(consent),
      };
    }),
  );
  const words = toRecoveryWords(bytesOf('own: recovery'));
  const refused = [
    ['23 words', words.slice(1)],
    ['25 words', [...words, 'abandon']],
    ['the twelve words of 16 zero bytes', [...Array.from({ length: 11 }, () => 'abandon'), 'about']],
    ['a wrong checksum', Array.from({ length: 24 }, () => 'abandon')],
    ['a word outside of the list', [...words.slice(1), 'nolo']],
    ['its words in another order', words.toReversed()],
    ['nothing', ['']],
  ] as [string, string[]][];
  for (const [why, typed] of refused)
    if ((await codeOf(() => fromRecoveryWords(typed.join(' ')))) === null) throw new Error(`${why} were accepted`);
  return { keys, refused: refused.map(([why, typed]) => ({ why, words: typed.join(' ') })) };
}

/** Seeds that passkeys wrap. */
export async function makeWrapped() {
  const [seed, prf] = [bytesOf('own: recovery'), bytesOf('prf')];
  const signKey = (await deriveRecoveryKeys(seed, account)).signing.publicKey;
  const wrapped = await wrapRecoverySeed(seed, prf, account, signKey);
  const nonce = wrapped.slice(3, 15);
  const cases: [why: string, wrapped: Bytes, prf: Bytes, account: Bytes, signKey: Bytes][] = [
    ['a wrapped seed', wrapped, prf, account, signKey],
    ['another passkey', wrapped, seed, account, signKey],
    ['another account', wrapped, prf, bytesOf('else', 16), signKey],
    ['another recovery key', wrapped, prf, account, prf],
    ['a changed seed', changeByte(wrapped, -1, (byte) => byte ^ 1), prf, account, signKey],
    ['a changed nonce', changeByte(wrapped, 4, (byte) => byte ^ 1), prf, account, signKey],
    ['a byte too many', concatBytes(wrapped, Uint8Array.of(0)), prf, account, signKey],
    ['a short ciphertext', encodeCanonical([1, nonce, new Uint8Array(47)]), prf, account, signKey],
    ['a short nonce', encodeCanonical([1, nonce.slice(1), new Uint8Array(48)]), prf, account, signKey],
    ['version 2', changeByte(wrapped, 1, () => 2), prf, account, signKey],
  ];
  const seeds = await Promise.all(
    cases.map(async ([why, ...given]) => {
      const code = await codeOf(() => unwrapRecoverySeed(...given));
      const [bytes, output, of, key] = given.map(toHex);
      return {
        why,
        wrapped: bytes,
        prf: output,
        account: of,
        signKey: key,
        code,
        seed: code === null ? toHex(seed) : null,
      };
    }),
  );
  return { input: toHex(toPasskeyPrfInput(account)), seeds };
}

/** Numbers that two people compare, and the codes that they scan. */
export async function makeNumbers(checked: CheckedList) {
  const pinOf = (name: string, n: number) => ({
    account: bytesOf(`${name}: account`, 16),
    identity: bytesOf(`${name}: identity`),
    n,
    hash: bytesOf(`${name}: list ${n}`),
  });
  const own = { account, identity: checked.identity, n: checked.list.n, hash: checked.hash };
  const others = [pinOf('a', 0), pinOf('b', 7), { ...pinOf('c', 300), account: fromHex('00'.repeat(16)) }] as const;
  const [first, second] = others;
  const pairs = [...others.map((other) => [own, other] as const), [first, second] as const];
  const numbers = await Promise.all(
    pairs
      .flatMap(([a, b]) => [
        { a, b },
        { a: b, b: a },
      ])
      .map(async ({ a, b }) => ({
        a: pinToJson(a),
        b: pinToJson(b),
        number: await computeSafetyNumber(a, b),
        code: toHex(writeVerificationCode(a, b)),
      })),
  );
  const code = writeVerificationCode(own, second);
  const refused: [why: string, code: Bytes][] = [
    ['version 2', changeByte(code, 1, () => 2)],
    ['a byte too few', code.slice(0, -1)],
    ['a byte too many', concatBytes(code, Uint8Array.of(0))],
    ['one side only', encodeCanonical([1, own.account, own.identity, own.n, own.hash])],
    ['text', encodeCanonical('1')],
    ['nothing', new Uint8Array()],
  ];
  for (const [why, one] of refused)
    if ((await codeOf(() => readVerificationCode(one))) === null) throw new Error(`${why} was accepted`);
  return { numbers, refused: refused.map(([why, one]) => ({ why, code: toHex(one) })) };
}
