import { readFileSync } from 'node:fs';
import { fromHex, fromUuid, toHex } from './bytes.ts';
import {
  completeRecoveryWord,
  createRecoverySeed,
  deriveRecoveryKeys,
  fromRecoveryWords,
  toRecoveryWords,
  unwrapRecoverySeed,
  wrapRecoverySeed,
} from './recovery.ts';

const account = fromUuid('0190a000-0000-7000-8000-000000000001');
const other = fromUuid('0190a000-0000-7000-8000-000000000002');

interface Bip39 {
  english: [entropy: string, words: string, seed: string, key: string][];
}

test('a seed is written as the words of BIP 39, and read back however they are typed', () => {
  const { english } = JSON.parse(readFileSync(new URL('../vectors/bip39.json', import.meta.url), 'utf8')) as Bip39;
  const long = english.filter(([entropy]) => entropy.length === 64);
  expect(long.length).toBeGreaterThan(5);
  for (const [entropy, words] of long) {
    expect(toRecoveryWords(fromHex(entropy)).join(' ')).toBe(words);
    expect(toHex(fromRecoveryWords(`  ${words.toUpperCase().replaceAll(' ', '\n ')} `))).toBe(entropy);
  }
});

test.each([
  ['too few words', 'abandon '.repeat(23)],
  ['a wrong checksum', 'abandon '.repeat(24)],
  ['a word outside of the list', `${'abandon '.repeat(23)}nolo`],
  ['nothing', ''],
  ['a megabyte', 'abandon '.repeat(130_000)],
])('words with %s are refused', (_, typed) => {
  expect(() => fromRecoveryWords(typed)).toThrow(expect.objectContaining({ code: 'malformed' }));
});

test('what a user begins to type is completed', () => {
  expect(completeRecoveryWord('Aban')).toEqual(['abandon']);
  expect(completeRecoveryWord('ab', 2)).toEqual(['abandon', 'ability']);
  expect(completeRecoveryWord('')).toEqual([]);
});

test('keys follow from the seed and the account', async () => {
  const seed = createRecoverySeed();
  const publicOf = async (of: typeof account) => {
    const { signing, boxes } = await deriveRecoveryKeys(seed, of);
    return [signing, boxes.x25519, boxes.xWing].map(({ publicKey }) => toHex(publicKey));
  };
  expect(await publicOf(account)).toEqual(await publicOf(account));
  const [own, others] = [await publicOf(account), await publicOf(other)];
  expect(own.filter((key) => others.includes(key))).toEqual([]);
});

test('a passkey wraps the seed of one account and one recovery key', async () => {
  const [seed, prf] = [createRecoverySeed(), createRecoverySeed()];
  const { signing } = await deriveRecoveryKeys(seed, account);
  const wrapped = await wrapRecoverySeed(seed, prf, account, signing.publicKey);
  expect(await unwrapRecoverySeed(wrapped, prf, account, signing.publicKey)).toEqual(seed);
  const refused = { code: 'unopened' };
  await expect(unwrapRecoverySeed(wrapped, seed, account, signing.publicKey)).rejects.toMatchObject(refused);
  await expect(unwrapRecoverySeed(wrapped, prf, other, signing.publicKey)).rejects.toMatchObject(refused);
  await expect(unwrapRecoverySeed(wrapped, prf, account, prf)).rejects.toMatchObject(refused);
  const cut = unwrapRecoverySeed(wrapped.subarray(1), prf, account, signing.publicKey);
  await expect(cut).rejects.toMatchObject({ code: 'malformed' });
});
