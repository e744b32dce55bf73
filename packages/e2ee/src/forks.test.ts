import { World, type TestDevice, type TestPerson } from '../tests/world.ts';
import { judgeFork } from './forks.ts';
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
