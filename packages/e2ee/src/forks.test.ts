import { free, World, type TestDevice, type TestPerson } from '../tests/world.ts';
import type { Bytes } from './bytes.ts';
import { vaultIdOf, type CheckedEpoch } from './epochs.ts';
import { judgeFork, judgeHeaderFork } from './forks.ts';
import { noAccount } from './headers.ts';
import { checkNextList, followList, recoverySigner, signList, type CheckedList } from './lists.ts';
import { createRecoverySeed, deriveRecoveryKeys, toListedRecovery, type RecoveryKeys } from './recovery.ts';
import type { SigningKey } from './primitives.ts';

let world: World;
let ann: TestPerson;
let recovery: RecoveryKeys;
let phone: TestDevice;
let laptop: TestDevice;

/** Ann has three devices: her first one, a phone, and a laptop that the phone added. */
beforeEach(async () => {
  world = new World();
  ann = await world.person();
  recovery = await deriveRecoveryKeys(createRecoverySeed(), ann.account);
  await ann.change({ recovery: await toListedRecovery(recovery, ann.account, ann.list.identity) });
  phone = await world.device(ann.account);
  laptop = await world.device(ann.account);
  await ann.change({ add: [phone, laptop] });
});

const next = async (
  before: CheckedList,
  by: { id: Uint8Array<ArrayBuffer>; key: SigningKey },
  changes: Parameters<typeof followList>[3],
): Promise<CheckedList> => checkNextList(before, await signList(by.key, followList(before, by.id, 1, changes)));
const byRecovery = () => ({ id: recoverySigner, key: recovery.signing });

test('the branch that removes the author of the other one ends the fork', async () => {
  const bad = await next(ann.list, laptop, { add: [await world.device(ann.account)] });
  const good = await next(ann.list, ann.device, { add: [await world.device(ann.account)] });
  expect(judgeFork(ann.list, [good], [bad])).toBe('fork');
  const removed = await next(good, ann.device, { remove: [laptop.id] });
  expect(judgeFork(ann.list, [good, removed], [bad])).toBe('first');
  expect(judgeFork(ann.list, [bad], [good, removed])).toBe('second');
});

test('a removal by a device that the other branch removes ends nothing', async () => {
  const bad = await next(ann.list, phone, { remove: [laptop.id] });
  const good = await next(ann.list, laptop, { add: [await world.device(ann.account)] });
  expect(judgeFork(ann.list, [bad], [good])).toBe('first');
  const byFirst = await next(good, ann.device, { remove: [phone.id] });
  expect(judgeFork(ann.list, [bad], [good, byFirst])).toBe('second');
  const other = await next(ann.list, ann.device, { add: [await world.device(ann.account)] });
  const byWords = await next(other, byRecovery(), { remove: [phone.id] });
  expect(judgeFork(ann.list, [bad], [other, byWords])).toBe('second');
});

test('two lists by one author always stay a fork', async () => {
  const one = await next(ann.list, phone, { add: [await world.device(ann.account)] });
  const two = await next(ann.list, phone, { remove: [laptop.id] });
  const ended = await next(two, byRecovery(), { remove: [phone.id] });
  expect(judgeFork(ann.list, [one], [two, ended])).toBe('fork');
});

describe('a fork of the vault', () => {
  /** Starts Ann's vault. */
  async function startVault(): Promise<{ person: TestPerson; start: CheckedEpoch }> {
    const person = await world.person();
    const conversation = await vaultIdOf(person.account, person.list.identity);
    const start = await world.start(person, { conversation, kind: 0 }, [free(person.add(person, 2))]);
    return { person, start };
  }
  const resolve = async (person: TestPerson, before: CheckedEpoch, other: Bytes): Promise<CheckedEpoch> => {
    const { conversation } = before.header;
    const change = await person.sign(conversation, before.hash, { type: 8, account: noAccount, other });
    return world.next(before, person, [change]);
  };

  test('ends by the branch whose later header names the other one', async () => {
    const { person, start } = await startVault();
    const [a, b] = [await world.next(start, person, []), await world.next(start, person, [], { reason: 2 })];
    expect(judgeHeaderFork([a], [b])).toEqual({ verdict: 'fork', first: a.hash, second: b.hash });
    const [more, resolved] = [await world.next(a, person, []), await resolve(person, b, a.hash)];
    expect(judgeHeaderFork([a, more], [b, resolved])).toEqual({ verdict: 'second' });
    expect(judgeHeaderFork([b, resolved], [a, more])).toEqual({ verdict: 'first' });
    const elsewhere = await resolve(person, b, more.hash);
    expect(judgeHeaderFork([a, more], [b, elsewhere])).toMatchObject({ verdict: 'fork' });
  });

  test('begins anew with two headers that name each other, and ends like the first one', async () => {
    const { person, start } = await startVault();
    const [a, b] = [await world.next(start, person, []), await world.next(start, person, [], { reason: 2 })];
    const [overB, overA] = [await resolve(person, a, b.hash), await resolve(person, b, a.hash)];
    expect(judgeHeaderFork([a, overB], [b, overA])).toEqual({
      verdict: 'fork',
      first: overB.hash,
      second: overA.hash,
    });
    const last = await resolve(person, overB, overA.hash);
    expect(judgeHeaderFork([a, overB, last], [b, overA])).toEqual({ verdict: 'first' });
  });

  test('never ends at header 0', async () => {
    const { person, start } = await startVault();
    world.now += 1;
    const { conversation } = start.header;
    const other = await world.start(person, { conversation, kind: 0 }, [free(person.add(person, 2))]);
    const resolved = await resolve(person, other, start.hash);
    expect(judgeHeaderFork([start], [other, resolved])).toEqual({ verdict: 'final' });
  });

  test('is resolved only with the signature of a device that the header before has', async () => {
    const { person, start } = await startVault();
    const [a, b] = [await world.next(start, person, []), await world.next(start, person, [], { reason: 2 })];
    const unsigned = free({ type: 8, account: noAccount, other: a.hash });
    await expect(world.next(b, person, [unsigned])).rejects.toMatchObject({ code: 'rights' });
    const stranger = await world.person();
    const change = await stranger.sign(b.header.conversation, b.hash, { type: 8, account: noAccount, other: a.hash });
    await expect(world.next(b, person, [change])).rejects.toMatchObject({ code: 'rights' });
  });
});
