import { readFileSync } from 'node:fs';
import { checkBoxKeys } from './boxKeys.ts';
import { concatBytes, fromHex, toHex, type Bytes } from './bytes.ts';
import { bytes, bytesUpTo, decodeCanonical, encodeCanonical, id, tuple, uint, type Encodable } from './encoding.ts';
import {
  assertOpens,
  checkOffer,
  computeLinkCommitment,
  computeLinkDigits,
  openLinkAnswer,
  readLinkCode,
  writeLinkCode,
} from './linking.ts';
import { checkFirstList, checkNextList, type CheckedList, type Pin } from './lists.ts';
import { computeSafetyNumber, readVerificationCode, writeVerificationCode } from './number.ts';
import { boxKeyFromSeed, hpkeOpen, hpkeSeal, labelOf, signingKeyFromSeed, type SuiteId } from './primitives.ts';
import {
  deriveRecoveryKeys,
  fromRecoveryWords,
  toListedRecovery,
  toPasskeyPrfInput,
  toRecoveryWords,
  unwrapRecoverySeed,
} from './recovery.ts';
import { Refusal } from './refusal.ts';
import { hashOfStatement, signStatement } from './statements.ts';

// Our own vectors, which the implementation in Go checks too (tests/interop).

type Texts<K extends string> = Record<K, string>;
type JsonValue = number | string | null | { bytes: string } | JsonValue[];
type JsonPin = Texts<'account' | 'identity' | 'hash'> & { n: number };

interface Vectors {
  encodings: { accepted: { value: JsonValue; bytes: string }[]; refused: Texts<'why' | 'bytes'>[] };
  statements: Texts<'type' | 'seed' | 'key' | 'body' | 'signature' | 'hash'>[];
  lists: (Texts<'why' | 'body' | 'signature'> &
    Partial<Texts<'name' | 'hash' | 'identity'>> & { after: string | null; code: string | null })[];
  boxKeys: (Texts<'why' | 'after' | 'device' | 'body' | 'signature'> & {
    seen: { number: number; body: string } | null;
    code: string | null;
  })[];
  seeds: (Texts<'seed' | 'key'> & { suite: SuiteId })[];
  refusedKeys: (Texts<'why' | 'key'> & { suite: SuiteId })[];
  boxes: (Texts<'why' | 'purpose' | 'hash' | 'seed' | 'box'> & { plain: string | null })[];
  recovery: {
    keys: Texts<'words' | 'seed' | 'account' | 'identity' | 'signKey' | 'x25519' | 'xWing' | 'consent'>[];
    refused: Texts<'why' | 'words'>[];
  };
  wrapped: {
    input: string;
    seeds: (Texts<'why' | 'wrapped' | 'prf' | 'account' | 'signKey'> & { code: string | null; seed: string | null })[];
  };
  numbers: { numbers: (Texts<'number' | 'code'> & { a: JsonPin; b: JsonPin })[]; refused: Texts<'why' | 'code'>[] };
  linking: {
    offers: (Texts<'why' | 'account' | 'offer'> & { code: string | null })[];
    codes: { accepted: Texts<'device' | 'offerHash' | 'secret' | 'code'>[]; refused: Texts<'why' | 'code'>[] };
    answers: (Texts<'why' | 'code' | 'answer'> & { pin: JsonPin | null; refusal: string | null })[];
    digits: (Texts<'offer' | 'newRandom' | 'oldRandom' | 'commitment' | 'shownByNew' | 'shownByOld'> & {
      list: JsonPin;
    })[];
  };
}

const vectors = JSON.parse(readFileSync(new URL('../vectors/nolo.json', import.meta.url), 'utf8')) as Vectors;

/** Returns the code of the refusal, or null if nothing was refused. Rethrows everything else. */
async function codeOf(made: () => unknown): Promise<string | null> {
  try {
    await made();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const pinOf = ({ account, identity, n, hash }: JsonPin): Pin => ({
  account: fromHex(account),
  identity: fromHex(identity),
  n,
  hash: fromHex(hash),
});

const statementOf = ({ body, signature }: Texts<'body' | 'signature'>) => ({
  body: fromHex(body),
  signature: fromHex(signature),
});

function toEncodable(value: JsonValue): Encodable {
  if (Array.isArray(value)) return value.map(toEncodable);
  return typeof value === 'object' && value !== null ? fromHex(value.bytes) : value;
}

test('values have one encoding each, and no other bytes are read', async () => {
  for (const { value, bytes: hex } of vectors.encodings.accepted) {
    const encodable = toEncodable(value);
    expect([value, toHex(encodeCanonical(encodable))]).toEqual([value, hex]);
    expect(decodeCanonical(fromHex(hex), (one) => one)).toEqual(encodable);
  }
  for (const { why, bytes: hex } of vectors.encodings.refused)
    expect([why, await codeOf(() => decodeCanonical(fromHex(hex), (one) => one))]).toEqual([why, 'malformed']);
});

test('statements are signed and hashed over their label and body', async () => {
  for (const { type, seed, key, body, signature, hash } of vectors.statements) {
    const signing = signingKeyFromSeed(fromHex(seed));
    expect(toHex(signing.publicKey)).toBe(key);
    const statement = await signStatement(
      type,
      signing,
      decodeCanonical(fromHex(body), (one) => one as Encodable),
    );
    expect([statement.body, statement.signature].map(toHex)).toEqual([body, signature]);
    expect(toHex(await hashOfStatement(type, statement))).toBe(hash);
  }
});

async function replayLists() {
  const states = new Map<string, CheckedList>();
  for (const { name, why, after, code, hash, identity, ...statement } of vectors.lists) {
    const before = after === null ? null : states.get(after)!;
    const refused = await codeOf(async () => {
      const given = statementOf(statement);
      const checked = before ? await checkNextList(before, given) : await checkFirstList(given);
      expect([toHex(checked.hash), toHex(checked.identity)]).toEqual([hash, identity]);
      states.set(name!, checked);
    });
    expect([why, refused]).toEqual([why, code]);
  }
  return states;
}

test('device lists and box keys are accepted and refused as recorded', async () => {
  const states = await replayLists();
  expect(states.size).toBeGreaterThan(20);
  for (const { why, after, device, seen, code, ...statement } of vectors.boxKeys) {
    const { list } = states.get(after)!;
    const known = seen ? { number: seen.number, body: fromHex(seen.body) } : undefined;
    const refused = await codeOf(() => checkBoxKeys(statementOf(statement), list, fromHex(device), known));
    expect([why, refused]).toEqual([why, code]);
  }
});

test('box keys follow from their seeds, and boxes open with the right one', async () => {
  for (const { suite, seed, key } of vectors.seeds)
    expect(toHex((await boxKeyFromSeed(suite, fromHex(seed))).publicKey)).toBe(key);
  for (const { why, suite, key } of vectors.refusedKeys)
    expect([why, await codeOf(() => hpkeSeal(suite, fromHex(key), fromHex(key), fromHex(key)))]).toEqual([
      why,
      'malformed',
    ]);
  const boxReader = tuple<[Bytes, number, number, Bytes, Bytes]>(id, uint(), uint(), bytesUpTo(2_000), bytes(48));
  for (const { why, purpose, hash, seed, box, plain } of vectors.boxes) {
    const [device, , suite, encapsulated, ciphertext] = decodeCanonical(fromHex(box), boxReader);
    const key = await boxKeyFromSeed(suite as SuiteId, fromHex(seed));
    const info = concatBytes(labelOf(purpose), fromHex(hash), device);
    let opened: Bytes | null = null;
    const refused = await codeOf(async () => {
      opened = await hpkeOpen(key, info, { encapsulated, ciphertext });
    });
    expect([why, opened && toHex(opened), refused]).toEqual([why, plain, plain === null ? 'unopened' : null]);
  }
});

test('recovery keys follow from words, and passkeys unwrap their seed', async () => {
  for (const one of vectors.recovery.keys) {
    const [seed, account] = [fromRecoveryWords(one.words), fromHex(one.account)];
    expect([toHex(seed), toRecoveryWords(seed).join(' ')]).toEqual([one.seed, one.words]);
    const keys = await deriveRecoveryKeys(seed, account);
    expect([keys.signing, keys.boxes.x25519, keys.boxes.xWing].map(({ publicKey }) => toHex(publicKey))).toEqual([
      one.signKey,
      one.x25519,
      one.xWing,
    ]);
    expect(toHex((await toListedRecovery(keys, account, fromHex(one.identity))).consent)).toBe(one.consent);
  }
  for (const { why, words } of vectors.recovery.refused)
    expect([why, await codeOf(() => fromRecoveryWords(words))]).toEqual([why, 'malformed']);
  expect(toHex(toPasskeyPrfInput(fromHex(vectors.recovery.keys[0]!.account)))).toBe(vectors.wrapped.input);
  for (const { why, wrapped, prf, account, signKey, code, seed } of vectors.wrapped.seeds) {
    let opened: Bytes | null = null;
    const refused = await codeOf(async () => {
      opened = await unwrapRecoverySeed(fromHex(wrapped), fromHex(prf), fromHex(account), fromHex(signKey));
    });
    expect([why, opened && toHex(opened), refused]).toEqual([why, seed, code]);
  }
});

test('people compare the same numbers and codes', async () => {
  for (const { a, b, number, code } of vectors.numbers.numbers) {
    expect(await computeSafetyNumber(pinOf(a), pinOf(b))).toBe(number);
    expect(toHex(writeVerificationCode(pinOf(a), pinOf(b)))).toBe(code);
    expect(readVerificationCode(fromHex(code))).toEqual({ shower: pinOf(a), scanner: pinOf(b) });
  }
  for (const { why, code } of vectors.numbers.refused)
    expect([why, await codeOf(() => readVerificationCode(fromHex(code)))]).toEqual([why, 'malformed']);
});

test('devices are linked with the same codes, answers, and digits', async () => {
  const { offers, codes, answers, digits } = vectors.linking;
  for (const { why, account, offer, code } of offers)
    expect([why, await codeOf(() => checkOffer(fromHex(offer), fromHex(account)))]).toEqual([why, code]);
  for (const { code, ...fields } of codes.accepted) {
    const read = readLinkCode(fromHex(code));
    expect([read.device, read.offerHash, read.secret].map(toHex)).toEqual([
      fields.device,
      fields.offerHash,
      fields.secret,
    ]);
    expect(toHex(writeLinkCode(read))).toBe(code);
  }
  for (const { why, code } of codes.refused)
    expect([why, await codeOf(() => readLinkCode(fromHex(code)))]).toEqual([why, 'malformed']);
  for (const { why, code, answer, pin, refusal } of answers) {
    let opened: Pin | null = null;
    const refused = await codeOf(async () => {
      opened = await openLinkAnswer(readLinkCode(fromHex(code)), fromHex(answer));
    });
    expect([why, opened, refused]).toEqual([why, pin && pinOf(pin), refusal]);
  }
  for (const { commitment, shownByNew, shownByOld, list, ...one } of digits) {
    const [offer, newRandom, oldRandom] = [fromHex(one.offer), fromHex(one.newRandom), fromHex(one.oldRandom)];
    expect(toHex(await computeLinkCommitment(offer, newRandom))).toBe(commitment);
    await assertOpens(fromHex(commitment), offer, newRandom);
    const computed = await computeLinkDigits({ offer, list: pinOf(list), newRandom, oldRandom });
    expect(computed).toEqual({ shownByNew, shownByOld });
  }
});
