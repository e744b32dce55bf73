import type { BoundMessage } from './boundMessages.ts';
import { concatBytes, fromUuid, toHex, utf8, type Bytes } from './bytes.ts';
import {
  checkOrigin,
  encodeOriginal,
  hashOfRow,
  openMessage,
  openOriginal,
  readOrigin,
  readOriginal,
  readSealed,
  rowOf,
  sealMessage,
  takeOriginal,
  type EpochKey,
} from './messages.ts';
import { pad, padme, unpad } from './padding.ts';
import {
  bytes,
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  signatureBytes,
  tuple,
  uint,
  type Encodable,
} from './encoding.ts';
import { createSigningKey, hashFor, randomBytes, sha256 } from './primitives.ts';

const epoch: EpochKey = { n: 3, headerHash: randomBytes(32), secret: randomBytes(32) };
const bound: BoundMessage = {
  conversation: fromUuid('0190a000-0000-7000-8000-00000000000c'),
  epoch: 3,
  headerHash: epoch.headerHash,
  clientMessageId: randomBytes(16),
  account: fromUuid('0190a000-0000-7000-8000-000000000001'),
  device: randomBytes(16),
  type: 'text',
  version: 0,
  mentions: [randomBytes(16), randomBytes(16)],
  files: [],
  hasLink: false,
  timer: 0,
  held: false,
  target: null,
  own: [],
};
const envelope = { sentAt: Date.UTC(2026, 10, 29), seen: randomBytes(32), content: 'Grüße 👋' };
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

test('a message opens for members of its epoch, whatever the order of its lists', async () => {
  const key = await createSigningKey();
  const sealed = await sealMessage(key, epoch, bound, envelope);
  expect(await openMessage(sealed, epoch, bound, key.publicKey)).toEqual(envelope);
  const reversed = { ...bound, mentions: bound.mentions.toReversed() };
  expect(await openMessage(sealed, epoch, reversed, key.publicKey)).toEqual(envelope);
  const again = await sealMessage(key, epoch, bound, envelope);
  expect(await hashOfRow(again, bound)).not.toEqual(await hashOfRow(sealed, bound));
  expect(await hashOfRow(sealed, { ...bound, version: 1 })).not.toEqual(await hashOfRow(sealed, bound));
});

test('what is kept of an erased message gives its row hash', async () => {
  const key = await createSigningKey();
  const sealed = await sealMessage(key, epoch, bound, envelope);
  const { hash, origin } = await rowOf(sealed, bound);
  const reader = tuple(bytesUpTo(4_096), bytes(16), bytes(32), bytes(32), signatureBytes);
  const [encoded, ...covered] = decodeCanonical(origin, reader);
  const { salt, ciphertext, keyHash, signature } = readSealed(sealed);
  expect(covered).toEqual([salt, await sha256(ciphertext), keyHash, signature]);
  const row = encodeCanonical([1, epoch.n, bound.device, await hashFor('bound', encoded), ...covered]);
  expect(await hashFor('row', row)).toEqual(hash);
  expect(await hashOfRow(sealed, bound)).toEqual(hash);
});

test('a message whose row says something else does not open', async () => {
  const key = await createSigningKey();
  const sealed = await sealMessage(key, epoch, bound, envelope);
  const changes: Partial<BoundMessage>[] = [
    { conversation: randomBytes(16) },
    { clientMessageId: randomBytes(16) },
    { account: randomBytes(16) },
    { type: 'system' },
    { version: 1 },
    { mentions: [] },
    { files: [randomBytes(16)] },
    { hasLink: true },
    { timer: 60 },
    { held: true },
    { target: { kind: 0, messageId: randomBytes(16), row: randomBytes(32) } },
    { own: [randomBytes(32)] },
  ];
  for (const change of changes)
    expect([change, await codeOf(openMessage(sealed, epoch, { ...bound, ...change }, key.publicKey))]).toEqual([
      change,
      'signature',
    ]);
  const device = { ...bound, device: randomBytes(16) };
  expect(await codeOf(openMessage(sealed, epoch, device, key.publicKey))).toBe('subject');
  const elsewhere = { ...epoch, headerHash: randomBytes(32) };
  expect(await codeOf(openMessage(sealed, elsewhere, bound, key.publicKey))).toBe('subject');
});

test('nobody else can sign, change, or open a message', async () => {
  const [key, other] = [await createSigningKey(), await createSigningKey()];
  const sealed = await sealMessage(key, epoch, bound, envelope);
  expect(await codeOf(openMessage(sealed, epoch, bound, other.publicKey))).toBe('signature');
  const { ciphertext } = readSealed(sealed);
  const changed = Uint8Array.from(sealed);
  const place = sealed.length - 64 - 2 - 32 - 2 - 1;
  changed[place] = (changed[place] ?? 0) ^ 1;
  expect(ciphertext.length).toBeGreaterThan(64);
  expect(await codeOf(openMessage(changed, epoch, bound, key.publicKey))).toBe('signature');
  const outsider = { ...epoch, secret: randomBytes(32) };
  expect(await codeOf(openMessage(sealed, outsider, bound, key.publicKey))).toBe('unopened');
  expect(await codeOf(openMessage(sealed.subarray(1), epoch, bound, key.publicKey))).toBe('malformed');
});

test('lengths are padded to few steps', () => {
  expect([0, 1, 63, 64, 100, 1_000, 100_000].map((length) => pad(new Uint8Array(length)).length)).toEqual([
    64, 64, 64, 72, 104, 1_024, 100_352,
  ]);
  for (let length = 0; length < 3_000; length += 37) {
    const plain = randomBytes(length);
    expect(unpad(pad(plain))).toEqual(plain);
    expect(padme(length)).toBeLessThanOrEqual(Math.ceil(length * 1.12));
  }
});

test.each([
  ['nothing', new Uint8Array()],
  ['zeros only', new Uint8Array(64)],
  ['another end', Uint8Array.from([...new Uint8Array(63), 1])],
  ['a length that is no step', Uint8Array.from([...utf8('words'), 0x80, ...new Uint8Array(59)])],
  ['less than the minimum', Uint8Array.of(0x80)],
])('padding of %s is refused', (_, padded) => {
  expect(() => unpad(padded)).toThrow(expect.objectContaining({ code: 'malformed' }));
});

test('the origin of a message proves its author, its fields, and its row hash without the content', async () => {
  const key = await createSigningKey();
  const reply: BoundMessage = { ...bound, target: { kind: 0, messageId: randomBytes(16), row: randomBytes(32) } };
  const sealed = await sealMessage(key, epoch, reply, envelope);
  const { origin } = await rowOf(sealed, reply);
  const ascending = { ...reply, mentions: readOrigin(origin).mentions };
  expect(readOrigin(origin)).toEqual(ascending);
  expect(await checkOrigin(origin, key.publicKey)).toEqual({ bound: ascending, row: await hashOfRow(sealed, reply) });
  expect(await codeOf(checkOrigin((await rowOf(sealed, bound)).origin, key.publicKey))).toBe('signature');
  expect(await codeOf(checkOrigin(origin, (await createSigningKey()).publicKey))).toBe('signature');
  expect(await codeOf(checkOrigin(origin.slice(1), key.publicKey))).toBe('malformed');
});

async function sealOriginal() {
  const key = await createSigningKey();
  const draft = { ...bound, held: true, mentions: [new Uint8Array(16), new Uint8Array(16).fill(1)] };
  const sealed = await sealMessage(key, epoch, draft, envelope);
  return { key, draft, sealed, original: await takeOriginal(sealed, epoch, draft) };
}

test('an original opens with the key that it carries, for members without the secret of its epoch', async () => {
  const { key, draft, sealed, original } = await sealOriginal();
  const read = readOriginal(encodeOriginal(original));
  expect(read).toEqual(original);
  const opened = { envelope, row: await hashOfRow(sealed, draft) };
  expect(await openOriginal(read, key.publicKey, null)).toEqual(opened);
  expect(await openOriginal(read, key.publicKey, epoch)).toEqual(opened);
});

test('an original is refused if its author did not seal it so', async () => {
  const { key, draft, sealed, original } = await sealOriginal();
  const open = (changes: Partial<typeof original>, signKey = key.publicKey, secret: EpochKey | null = null) =>
    codeOf(openOriginal({ ...original, ...changes }, signKey, secret));
  expect(await open({}, (await createSigningKey()).publicKey)).toBe('signature');
  expect(await open({ bound: { ...draft, held: false } })).toBe('signature');
  expect(await open({ bound: { ...draft, mentions: [] } })).toBe('signature');
  expect(await open({ bound: { ...draft, device: randomBytes(16) } })).toBe('subject');
  expect(await open({ bound: { ...draft, epoch: 4 } })).toBe('subject');
  expect(await open({ key: randomBytes(32) })).toBe('unopened');
  expect(await open({ sealed: sealed.subarray(1) })).toBe('malformed');
  expect(await open({}, key.publicKey, { ...epoch, secret: randomBytes(32) })).toBe('unopened');
  expect(await open({}, key.publicKey, { ...epoch, headerHash: randomBytes(32) })).toBe('subject');
  // The author signed the hash of a key that does not follow from the secret.
  const elsewhere = { ...epoch, secret: randomBytes(32) };
  const foreign = await sealMessage(key, elsewhere, draft, envelope);
  const taken = await takeOriginal(foreign, elsewhere, draft);
  expect(await open(taken)).toBe('accepted');
  expect(await open(taken, key.publicKey, epoch)).toBe('unopened');
  expect(await codeOf(takeOriginal(sealed, elsewhere, { ...draft, epoch: 4 }))).toBe('subject');
});

test('no byte of an original can be changed', async () => {
  const { key, original } = await sealOriginal();
  const encoded = encodeOriginal(original);
  for (let at = 0; at < encoded.length; at += 7) {
    const changed = encoded.map((byte, place) => (place === at ? byte ^ 1 : byte));
    const open = async () => openOriginal(readOriginal(changed), key.publicKey, null);
    expect([at, await codeOf(open())]).not.toEqual([at, 'accepted']);
  }
});

test('an original with ids out of order, another version, or more bytes is malformed', async () => {
  const { original } = await sealOriginal();
  const reader = tuple(uint(), bytesUpTo(4_096), bytesUpTo(4_096), bytes(32));
  const [, sealed, encodedBound, key] = decodeCanonical(encodeOriginal(original), reader);
  const [low, high] = original.bound.mentions as [Bytes, Bytes];
  const at = toHex(encodedBound).indexOf(toHex(low) + '50' + toHex(high)) / 2;
  const reversed = Uint8Array.from(encodedBound);
  reversed.set(concatBytes(high, Uint8Array.of(0x50), low), at);
  const codeOfRead = (value: Encodable) => codeOf((async () => readOriginal(encodeCanonical(value)))());
  expect(await codeOfRead([1, sealed, encodedBound, key])).toBe('accepted');
  expect(await codeOfRead([1, sealed, reversed, key])).toBe('malformed');
  expect(await codeOfRead([2, sealed, encodedBound, key])).toBe('malformed');
  expect(await codeOfRead([1, sealed, encodedBound, key.subarray(1)])).toBe('malformed');
  expect(await codeOfRead([1, sealed, encodedBound, key, key])).toBe('malformed');
});
