/** Measures the protocol in Node: first keys, messages, pages, and an epoch for 1,000 devices. */
import {
  boxKeyFromSeed,
  checkFirstList,
  commitTo,
  createBoxKeyPairs,
  createEpochSecret,
  createSigningKey,
  deviceIdOf,
  openBox,
  openMessage,
  sealBoxes,
  sealMessage,
  signBoxKeys,
  signList,
  toPublicBoxKeys,
  type BoundMessage,
  type Box,
  type Bytes,
  type Header,
} from '@nolo/e2ee';
import { describeConditions, median, printLine, printTable, quantile } from './support/measure.ts';

const rounds = Number(process.argv[2] ?? 200);
const pageSize = 50;
const devices = 1_000;

const randomId = (): Bytes => crypto.getRandomValues(new Uint8Array(16));
const randomHash = (): Bytes => crypto.getRandomValues(new Uint8Array(32));

async function measure(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

/** Creates what a new account signs first: its keys, list 0, and box keys, all read back. */
async function createFirstKeys(): Promise<void> {
  const account = randomId();
  const key = await createSigningKey();
  const id = await deviceIdOf(account, key.publicKey);
  const pairs = await createBoxKeyPairs();
  const at = Date.now();
  await signBoxKeys(key, { account, device: id, number: 0, keys: toPublicBoxKeys(pairs), at });
  const list = await signList(key, {
    account,
    n: 0,
    previous: null,
    devices: [{ id, kind: 0, signKey: key.publicKey, addedBy: null, seniority: 0 }],
    nextSeniority: 1,
    recovery: null,
    signer: id,
    at,
  });
  await checkFirstList(list);
}

const key = await createSigningKey();
const epoch = { n: 0, headerHash: randomHash(), secret: createEpochSecret() };
const bound: BoundMessage = {
  conversation: randomId(),
  epoch: 0,
  headerHash: epoch.headerHash,
  clientMessageId: randomId(),
  account: randomId(),
  device: randomId(),
  type: 'text',
  version: 0,
  mentions: [],
  files: [],
  hasLink: false,
  timer: 0,
  held: false,
  target: null,
  own: [randomHash()],
};
const envelope = { sentAt: Date.now(), seen: randomHash(), content: 'About a line of text, as people write them.' };
const seal = () => sealMessage(key, epoch, bound, envelope);
const sealed = await seal();
const open = () => openMessage(sealed, epoch, bound, key.publicKey);

async function measureEpoch(suite: 1 | 2, count: number) {
  const pairs = await createBoxKeyPairs();
  const secret = createEpochSecret();
  const commit = await commitTo(secret, bound.conversation, 0);
  const at = { hash: epoch.headerHash, header: { suite, conversation: bound.conversation, n: 0, commit } as Header };
  const to = { device: bound.device, number: 0, keys: toPublicBoxKeys(pairs) };
  const boxes: Box[] = [];
  const sealing = await measure(3, async () => {
    boxes.splice(
      0,
      boxes.length,
      ...(await sealBoxes(
        at,
        Array.from({ length: count }, () => to),
        secret,
      )),
    );
  });
  const [box] = boxes as [Box];
  const own = suite === 1 ? pairs.x25519 : pairs.xWing;
  const opening = await measure(50, () => openBox('box', at, box, own));
  const bytesEach = box.encapsulated.length + box.ciphertext.length;
  return { sealing, opening, kilobytes: (bytesEach * count) / 1_000 };
}

printLine(`\nEncryption\n${describeConditions()}`);
await measure(20, createFirstKeys);
await measure(100, open);
const xWing = await measureEpoch(2, 128);
const x25519 = await measureEpoch(1, devices);
const derived = await measure(20, () => boxKeyFromSeed(2, randomHash()));
const rows: [name: string, times: number[], note: string][] = [
  ['first keys of an account', await measure(rounds / 4, createFirstKeys), 'at most 200'],
  ['an X-Wing key pair', derived, ''],
  ['seal a message', await measure(rounds * 5, seal), 'at most 0.5'],
  ['open a message', await measure(rounds * 5, open), 'at most 0.5'],
  [
    `open a page of ${pageSize}`,
    await measure(rounds / 4, () => Promise.all(Array.from({ length: pageSize }, open))),
    'at most 30',
  ],
  [`seal boxes for 128 devices, X-Wing (${xWing.kilobytes.toFixed(0)} kB)`, xWing.sealing, ''],
  [`seal boxes for ${devices} devices, X25519 (${x25519.kilobytes.toFixed(0)} kB)`, x25519.sealing, 'at most 1,000'],
  ['open a box, X-Wing', xWing.opening, ''],
  ['open a box, X25519', x25519.opening, 'at most 20'],
];
printTable(
  ['work', 'p50 ms', 'p95 ms', 'limit ms'],
  rows.map(([name, times, limit]) => [name, median(times), quantile(times, 0.95), limit]),
);
