import { readFileSync } from 'node:fs';
import { readBoxKeys, signBoxKeys } from './boxKeys.ts';
import { concatBytes, equalBytes, fromHex, toHex, utf8, type Bytes } from './bytes.ts';
import { decodeCanonical, encodeCanonical, type Encodable } from './encoding.ts';
import { checkOffer, encodeOffer, openLinkAnswer, readLinkCode, writeLinkCode } from './linking.ts';
import { checkFirstList, readList, signList } from './lists.ts';
import { encodeOriginal, openOriginal, readOriginal, sealMessage, takeOriginal } from './messages.ts';
import { readVerificationCode, writeVerificationCode } from './number.ts';
import { signingKeyFromSeed } from './primitives.ts';
import { fromRecoveryWords, toRecoveryWords, unwrapRecoverySeed } from './recovery.ts';
import { Refusal } from './refusal.ts';

// Whatever bytes arrive: a reader refuses them, or they are the only encoding of what it returns.

type Texts<K extends string> = Record<K, string>;
const vectors = JSON.parse(readFileSync(new URL('../vectors/nolo.json', import.meta.url), 'utf8')) as {
  encodings: { accepted: Texts<'bytes'>[]; refused: Texts<'bytes'>[] };
  lists: (Texts<'body' | 'signature'> & { code: string | null })[];
  boxKeys: (Texts<'body'> & { code: string | null })[];
  recovery: { keys: Texts<'words'>[] };
  wrapped: { seeds: Texts<'wrapped' | 'prf' | 'account' | 'signKey'>[] };
  numbers: { numbers: Texts<'code'>[] };
  linking: {
    offers: (Texts<'account' | 'offer'> & { code: string | null })[];
    codes: { accepted: Texts<'code'>[] };
    answers: Texts<'code' | 'answer'>[];
  };
};

/** Returns a generator of integers below a limit, the same in each run (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const random = createRandom(20_261_129);
const randomOf = (length: number): Bytes => Uint8Array.from({ length }, () => random(256));

/** Starts of items: huge lengths, unknown lengths, and types that have no encoding. */
const heads = [
  '9b7fffffffffffffff',
  '9affffffff',
  '5b7fffffffffffffff',
  '5affffffff',
  '7b001fffffffffffff',
  'bb7fffffffffffffff',
  '1b0020000000000000',
  '1bffffffffffffffff',
  '1800',
  '9f',
  '5f',
  '7f',
  'bf',
  'ff',
  'f5',
  'f7',
  'f90000',
  'c2',
  '38ff',
].map(fromHex);

/** Changes to bytes, each at a place in them. */
const mutations: ((bytes: Bytes, at: number) => Bytes)[] = [
  (bytes, at) => bytes.map((byte, index) => (index === at ? byte ^ (1 << random(8)) : byte)),
  (bytes, at) => bytes.map((byte, index) => (index === at ? random(256) : byte)),
  (bytes, at) => bytes.slice(0, at),
  (bytes, at) => bytes.slice(at),
  (bytes, at) => concatBytes(bytes.subarray(0, at), randomOf(1 + random(8)), bytes.subarray(at)),
  (bytes, at) => concatBytes(bytes.subarray(0, at), bytes.subarray(at + 1 + random(40))),
  (bytes, at) => concatBytes(bytes.subarray(0, at + 1 + random(40)), bytes.subarray(at)),
  (bytes, at) => concatBytes(bytes.subarray(0, at), new Uint8Array(1 + random(12)).fill(0x81), bytes.subarray(at)),
  (bytes, at) => concatBytes(bytes.subarray(0, at), heads[random(heads.length)]!, bytes.subarray(at + random(3))),
  (bytes) => concatBytes(bytes, randomOf(1 + random(4))),
];

/** Bytes that are no variation of anything, some of them long. */
const strangers: Bytes[] = [
  new Uint8Array(),
  ...heads,
  ...heads.map((head) => concatBytes(head, new Uint8Array(5_000))),
  ...[0x81, 0x9f, 0xd8, 0xff, 0x00, 0x5f].map((byte) => new Uint8Array(30_000).fill(byte)),
  concatBytes(fromHex('997530'), new Uint8Array(30_000).fill(0x80)),
];

interface Fuzzed {
  valid: Bytes[];
  /** Reads bytes, and writes what it read. */
  roundTrip: (bytes: Bytes) => Promise<Uint8Array> | Uint8Array;
}

const key = signingKeyFromSeed(new Uint8Array(32));
const accepted = <T extends { code: string | null }>(all: readonly T[]): T[] => all.filter(({ code }) => code === null);
const account = fromHex(vectors.linking.offers[0]!.account);
const [wrapped] = vectors.wrapped.seeds as [Texts<'wrapped' | 'prf' | 'account' | 'signKey'>];
const [answer] = vectors.linking.answers as [Texts<'code' | 'answer'>];
const code = readLinkCode(fromHex(answer.code));

/** Original of a held draft, as an approving message carries it. */
async function sealOriginal(): Promise<Bytes> {
  const epoch = { n: 1, headerHash: randomOf(32), secret: randomOf(32) };
  const ids = { conversation: randomOf(16), clientMessageId: randomOf(16), account, device: randomOf(16) };
  const none = { mentions: [], files: [], hasLink: true, timer: 0, target: null, own: [] };
  const draft = { ...ids, ...none, epoch: 1, headerHash: epoch.headerHash, type: 'text', version: 0, held: true };
  const sealed = await sealMessage(key, epoch, draft, { sentAt: 0, seen: null, content: 'https://a.example' });
  return encodeOriginal(await takeOriginal(sealed, epoch, draft));
}
const original = await sealOriginal();

const fuzzed: Record<string, Fuzzed> = {
  values: {
    valid: vectors.encodings.accepted.map(({ bytes }) => fromHex(bytes)),
    roundTrip: (bytes) => encodeCanonical(decodeCanonical(bytes, (value) => value as Encodable)),
  },
  'device lists': {
    valid: accepted(vectors.lists).map(({ body }) => fromHex(body)),
    roundTrip: async (bytes) => (await signList(key, readList({ body: bytes }))).body,
  },
  'first lists': {
    valid: [fromHex(vectors.lists[0]!.body)],
    roundTrip: async (body) =>
      (await signList(key, (await checkFirstList({ body, signature: fromHex(vectors.lists[0]!.signature) })).list))
        .body,
  },
  'box keys': {
    valid: accepted(vectors.boxKeys).map(({ body }) => fromHex(body)),
    roundTrip: async (bytes) => (await signBoxKeys(key, readBoxKeys({ body: bytes }))).body,
  },
  offers: {
    valid: accepted(vectors.linking.offers).map(({ offer }) => fromHex(offer)),
    roundTrip: async (bytes) => encodeOffer(await checkOffer(bytes, account)),
  },
  'link codes': {
    valid: vectors.linking.codes.accepted.map((one) => fromHex(one.code)),
    roundTrip: (bytes) => writeLinkCode(readLinkCode(bytes)),
  },
  answers: {
    valid: [fromHex(answer.answer)],
    roundTrip: async (bytes) => {
      // Only the unchanged answer opens.
      await openLinkAnswer(code, bytes);
      return fromHex(answer.answer);
    },
  },
  'verification codes': {
    valid: vectors.numbers.numbers.map((one) => fromHex(one.code)),
    roundTrip: (bytes) => {
      const { shower, scanner } = readVerificationCode(bytes);
      return writeVerificationCode(shower, scanner);
    },
  },
  'wrapped seeds': {
    valid: [fromHex(wrapped.wrapped)],
    roundTrip: async (bytes) => {
      await unwrapRecoverySeed(bytes, fromHex(wrapped.prf), fromHex(wrapped.account), fromHex(wrapped.signKey));
      return fromHex(wrapped.wrapped);
    },
  },
  originals: {
    valid: [original],
    roundTrip: (bytes) => encodeOriginal(readOriginal(bytes)),
  },
  'opened originals': {
    valid: [original],
    roundTrip: async (bytes) => {
      // Only the unchanged original opens.
      await openOriginal(readOriginal(bytes), key.publicKey, null);
      return original;
    },
  },
  words: {
    valid: vectors.recovery.keys.map(({ words }) => utf8(words)),
    roundTrip: (bytes) => {
      const typed = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const read = toRecoveryWords(fromRecoveryWords(typed)).join(' ');
      // Letter case and space around words say nothing.
      return typed.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ') === read ? bytes : utf8(read);
    },
  },
};

const rounds = 120;

test.each(Object.entries(fuzzed))('%s are read as they were written, or refused', async (_, { valid, roundTrip }) => {
  const inputs = [...valid, ...strangers];
  for (let round = 0; round < rounds; round += 1) {
    let input = valid[random(valid.length)]!;
    for (let count = random(3); count >= 0; count -= 1)
      input = mutations[random(mutations.length)]!(input, random(input.length + 1));
    inputs.push(input);
  }
  let read = 0;
  const began = process.cpuUsage();
  for (const input of inputs) {
    const before = input.slice();
    try {
      if (!equalBytes(await roundTrip(input), input)) throw new Error(`read as something else: ${toHex(input)}`);
      read += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    if (!equalBytes(before, input)) throw new Error(`changed: ${toHex(before)}`);
  }
  const { user, system } = process.cpuUsage(began);
  expect(read).toBeGreaterThanOrEqual(valid.length);
  // Processor time in microseconds, usually less than a millisecond for each. Earlier tests of this process leave a
  // heap whose collection counts here.
  expect((user + system) / inputs.length).toBeLessThan(20_000);
});
