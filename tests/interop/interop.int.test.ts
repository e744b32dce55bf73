import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkBoxKeys,
  checkChain,
  checkOffer,
  compareVerificationCode,
  computeLinkCommitment,
  computeLinkDigits,
  computeSafetyNumber,
  concatBytes,
  deriveRecoveryKeys,
  findDevice,
  fromHex,
  fromRecoveryWords,
  openLinkAnswer,
  assertOffered,
  readLinkCode,
  readVerificationCode,
  toHex,
  toPin,
  unwrapRecoverySeed,
  type Bytes,
  type Pin,
} from '@nolo/e2ee';
import { bytes, bytesUpTo, decodeCanonical, exactly, id, tuple, uint } from '@nolo/e2ee/encoding';
import { boxKeyFromSeed, hpkeOpen, labelOf } from '@nolo/e2ee/primitives';
import { findGo } from '../../scripts/check/goTools.ts';
import { projectRoot } from '../../scripts/paths.ts';
import { runCommand } from '../../scripts/runCommand.ts';

// The implementation in Go was written from docs/encryption.md, not from ours. It checks our vectors, and ours reads
// what it made.

const [wantedMajor, wantedMinor] = [1, 26] as const;
// Go must neither download another version of itself nor anything else.
const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '', GOWORK: 'off' };
const vectors = join(projectRoot, 'packages/e2ee/vectors');

/** Returns Go, or why this test is skipped. */
async function chooseGo(): Promise<{ go: string } | { reason: string }> {
  let go: string;
  try {
    go = findGo('');
  } catch {
    return { reason: 'Go was not found' };
  }
  const { stdout } = await runCommand(go, ['env', 'GOVERSION'], { env });
  const [, major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  const isNew = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return isNew ? { go } : { reason: `${stdout.trim() || 'this Go'} has no X-Wing` };
}

type Texts<K extends string> = Record<K, string>;
type JsonPin = Texts<'account' | 'identity' | 'hash'> & { n: number };

interface Reply extends Texts<
  'device' | 'words' | 'wrapped' | 'prf' | 'signKey' | 'offer' | 'code' | 'answer' | 'commit' | 'number' | 'verified'
> {
  passed: number;
  failures: string[] | null;
  lists: Texts<'body' | 'signature'>[];
  newest: JsonPin;
  other: JsonPin;
  boxKeys: Texts<'body' | 'signature'>;
  boxes: Texts<'seed' | 'purpose' | 'hash' | 'box' | 'plain'>[];
  random: [string, string];
  digits: [string, string];
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

async function checkLists({ lists, newest, device, boxKeys, words }: Reply) {
  const checked = await checkChain(lists.map(statementOf));
  expect(toPin(checked)).toEqual(pinOf(newest));
  expect(checked.list.devices.map(({ kind, seniority }) => [kind, seniority])).toEqual([
    [1, 1],
    [2, 2],
    [0, 3],
  ]);
  const { signing, boxes } = await deriveRecoveryKeys(fromRecoveryWords(words), checked.list.account);
  expect(checked.list.recovery).toMatchObject({
    signKey: signing.publicKey,
    boxKeys: { x25519: boxes.x25519.publicKey, xWing: boxes.xWing.publicKey },
  });
  expect(findDevice(checked.list, fromHex(device))).toBeDefined();
  const keys = await checkBoxKeys(statementOf(boxKeys), checked.list, fromHex(device));
  expect(keys.number).toBe(5);
}

async function checkBoxes({ boxes }: Reply) {
  const reader = tuple<[Bytes, number, number, Bytes, Bytes]>(id, exactly(5), uint(2), bytesUpTo(1_120), bytes(48));
  const suites = new Set<number>();
  for (const { seed, purpose, hash, box, plain } of boxes) {
    const [device, , suite, encapsulated, ciphertext] = decodeCanonical(fromHex(box), reader);
    const key = await boxKeyFromSeed(suite === 1 ? 1 : 2, fromHex(seed));
    const info = concatBytes(labelOf(purpose), fromHex(hash), device);
    expect(toHex(await hpkeOpen(key, info, { encapsulated, ciphertext }))).toBe(plain);
    suites.add(suite);
  }
  expect(suites.size).toBe(2);
}

async function checkLinking({ offer, code, answer, commit, newest, ...reply }: Reply) {
  const read = readLinkCode(fromHex(code));
  await assertOffered(read, fromHex(offer));
  const { kind, keys } = await checkOffer(fromHex(offer), fromHex(newest.account));
  expect([kind, keys.number]).toEqual([1, 0]);
  expect(await openLinkAnswer(read, fromHex(answer))).toEqual(pinOf(newest));
  const [newRandom, oldRandom] = reply.random.map(fromHex) as [Bytes, Bytes];
  expect(toHex(await computeLinkCommitment(fromHex(offer), newRandom))).toBe(commit);
  const digits = await computeLinkDigits({ offer: fromHex(offer), list: pinOf(newest), newRandom, oldRandom });
  expect([digits.shownByNew, digits.shownByOld]).toEqual(reply.digits);
}

async function checkNumbers({ newest, other, number, verified }: Reply) {
  const [shower, scanner] = [pinOf(newest), pinOf(other)];
  expect(await computeSafetyNumber(scanner, shower)).toBe(number);
  const known = [shower, scanner];
  const hashAt = (account: Bytes, n: number) =>
    known.find((pin) => toHex(pin.account) === toHex(account) && pin.n === n)?.hash ?? null;
  expect(compareVerificationCode(readVerificationCode(fromHex(verified)), scanner, shower, hashAt)).toEqual(shower);
}

const chosen = await chooseGo();
// Skipped: this needs Go 1.26, the first with X-Wing. The name of the test says what is missing.
const [run, suffix] = 'go' in chosen ? [test, ''] : [test.skip, ` (skipped: ${chosen.reason})`];

run(`an implementation in Go from the paper understands ours, and ours understands it${suffix}`, async () => {
  const go = 'go' in chosen ? chosen.go : '';
  const files = [join(vectors, 'nolo.json'), join(vectors, 'bip39.txt')];
  const { code, output, stdout } = await runCommand(go, ['run', '.', ...files], {
    cwd: join(projectRoot, 'tests/interop/go'),
    env,
  });
  if (code !== 0) throw new Error(output);
  const reply = JSON.parse(stdout) as Reply;
  expect(reply.failures ?? []).toEqual([]);
  const listCount = (JSON.parse(readFileSync(files[0]!, 'utf8')) as { lists: unknown[] }).lists.length;
  expect(reply.passed).toBeGreaterThan(2 * listCount);

  await checkLists(reply);
  await checkBoxes(reply);
  await checkLinking(reply);
  await checkNumbers(reply);
  const [wrapped, prf, account, signKey] = [reply.wrapped, reply.prf, reply.newest.account, reply.signKey].map(
    fromHex,
  ) as [Bytes, Bytes, Bytes, Bytes];
  expect(await unwrapRecoverySeed(wrapped, prf, account, signKey)).toEqual(fromRecoveryWords(reply.words));
});
