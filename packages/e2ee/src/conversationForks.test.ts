import { free, setting, World, type TestPerson } from '../tests/world.ts';
import type { CheckedEpoch } from './epochs.ts';
import { judgeConversationFork } from './forks.ts';
import { noAccount } from './headers.ts';

/** Forks of a conversation's headers (docs/encryption.md, section 4). */

let world: World;
let ann: TestPerson;
let ben: TestPerson;
let eve: TestPerson;
let common: CheckedEpoch;

beforeEach(async () => {
  world = new World();
  [ann, ben, eve] = [await world.person(), await world.person(), await world.person()];
  common = await world.start(ann, {}, [free(ann.add(ann, 2)), free(ann.add(ben)), free(ann.add(eve))]);
});

const judge = (first: readonly CheckedEpoch[], second: readonly CheckedEpoch[], from = common) =>
  judgeConversationFork({ common: from, first, second, lists: world.lists });
const signed = (by: TestPerson, before: CheckedEpoch, bare: Parameters<TestPerson['sign']>[2]) =>
  by.sign(before.header.conversation, before.hash, bare);
const resolve = async (by: TestPerson, before: CheckedEpoch, { hash: other }: CheckedEpoch, others = [] as never[]) =>
  world.next(before, by, [await signed(by, before, { type: 8, account: noAccount, other }), ...others]);
const remove = async (by: TestPerson, before: CheckedEpoch, { account }: TestPerson) =>
  world.next(before, by, [await signed(by, before, { type: 1, account, lastRows: [] })]);

test('a change 8 of an owner ends a fork', async () => {
  const [a, b] = [await world.next(common, ann, []), await world.next(common, ben, [])];
  expect(judge([a], [b])).toEqual({ verdict: 'fork', first: a.hash, second: b.hash });
  const resolved = await resolve(ann, b, a);
  expect(judge([a], [b, resolved])).toEqual({ verdict: 'second' });
  expect(judge([b, resolved], [a])).toEqual({ verdict: 'first' });
});

test('a change 8 of who is no owner in the other branch ends nothing', async () => {
  const a = await world.next(common, ann, []);
  const role = await signed(ann, common, { type: 4, account: ben.account, role: 2 });
  const b = await world.next(common, ann, [role]);
  const resolved = await resolve(ben, b, a);
  expect(judge([a], [b, resolved])).toMatchObject({ verdict: 'fork' });
});

test('a change 8 that does not repeat a removal of the other branch ends nothing', async () => {
  const [a, b] = [await remove(ann, common, eve), await world.next(common, ann, [])];
  const forgetful = await resolve(ann, b, a);
  expect(judge([a], [b, forgetful])).toMatchObject({ verdict: 'fork' });
  const repeated = await world.next(b, ann, [
    await signed(ann, b, { type: 8, account: noAccount, other: a.hash }),
    await signed(ann, b, { type: 1, account: eve.account, lastRows: [] }),
  ]);
  expect(judge([a], [b, repeated])).toEqual({ verdict: 'second' });
});

test('the branch counts in which an owner removes the author of the other one', async () => {
  const [a, b] = [await world.next(common, ann, []), await world.next(common, eve, [])];
  const removed = await remove(ann, a, eve);
  expect(judge([a, removed], [b])).toEqual({ verdict: 'first', isByRemoval: true });
  expect(judge([b], [a, removed])).toEqual({ verdict: 'second', isByRemoval: true });
  const back = await world.next(removed, ann, [await signed(ann, removed, ann.add(eve))]);
  expect(judge([a, removed, back], [b])).toMatchObject({ verdict: 'fork' });
});

test('a removal by the server, or by an owner whom the other branch demotes, ends nothing', async () => {
  const byServer = await world.next(common, ann, [free({ type: 1, account: eve.account, lastRows: [] })]);
  const other = await world.next(common, eve, []);
  expect(judge([byServer], [other])).toMatchObject({ verdict: 'fork' });
  const removed = await remove(ann, common, eve);
  const toBen = await signed(ann, other, { type: 4, account: ben.account, role: 2 });
  const steppedDown = await signed(ann, other, { type: 4, account: ann.account, role: 0 });
  const demoted = await world.next(other, ann, [toBen, steppedDown]);
  expect(judge([removed], [other, demoted])).toMatchObject({ verdict: 'fork' });
  expect(judge([removed], [other])).toMatchObject({ verdict: 'first' });
});

test('the branch counts whose list removed the device that began the other one', async () => {
  const phone = await world.device(ben.account);
  const { device } = ben;
  await ben.change({ add: [phone] });
  const listed = await world.next(common, ann, [
    free({ type: 3, account: ben.account, list: ben.reference, lastRows: [] }),
  ]);
  ben.device = phone;
  const byPhone = await world.next(listed, ben, []);
  ben.device = device;
  await ben.change({ remove: [phone.id] });
  const change = free({
    type: 3,
    account: ben.account,
    list: ben.reference,
    lastRows: [{ device: phone.id, row: null }],
  });
  const removed = await world.next(listed, ann, [change]);
  expect(judge([removed], [byPhone], listed)).toEqual({ verdict: 'first', isByRemoval: true });
  // The other branch knows that list too, so the device began it before.
  const both = await world.next(byPhone, ann, [change]);
  expect(judge([removed], [byPhone, both], listed)).toMatchObject({ verdict: 'fork' });
});

test('two headers by one device always stay a fork until a change 8', async () => {
  const a = await world.next(common, eve, []);
  const b = await world.next(common, eve, [], { reason: 2 });
  const removed = await remove(ann, a, eve);
  expect(judge([a, removed], [b])).toMatchObject({ verdict: 'fork' });
});

test('either account ends a fork of a direct conversation', async () => {
  const start = await world.start(ann, { kind: 1 }, [free(ann.add(ann)), free(ann.add(ben))]);
  const timer = await signed(ann, start, setting(1, 60));
  const [a, b] = [await world.next(start, ann, [timer]), await world.next(start, ben, [])];
  expect(judge([a], [b, await resolve(ben, b, a)], start)).toEqual({ verdict: 'second' });
});

test('a header leads from a list of a branch that does not count to the one that stays', async () => {
  const base = ben.list;
  await ben.change({ add: [await world.device(ben.account)] });
  await ben.change({ add: [await world.device(ben.account)] });
  const left = ben.list;
  const named = await world.next(common, ann, [
    free({ type: 3, account: ben.account, list: ben.reference, lastRows: [] }),
  ]);
  ben.list = base;
  await ben.change({ add: [await world.device(ben.account)] });
  const back = free({ type: 3, account: ben.account, list: ben.reference, lastRows: [] });
  await expect(world.next(named, ann, [back])).rejects.toMatchObject({ code: 'order' });
  const { lists } = world;
  const judged: typeof lists = (account, list) => {
    const found = lists(account, list);
    return found?.hash === left.hash ? { ...found, isRefused: true } : found;
  };
  Object.assign(world, { lists: judged });
  expect((await world.next(named, ann, [back])).members).toContainEqual(
    expect.objectContaining({ account: ben.account, list: ben.reference }),
  );
});
