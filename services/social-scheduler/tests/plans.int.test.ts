import { randomUUID } from 'node:crypto';
import { isAppError } from '@nolo/kit/errors';
import { eventually } from '@nolo/testing';
import { startScheduler, type TestScheduler } from './startScheduler.ts';

/** Plan limits for posts as reported by billing, and who counts them (decisions 27 and 28). */

let scheduler: TestScheduler;

beforeAll(async () => {
  scheduler = await startScheduler({ plans: true });
});
afterAll(() => scheduler.stop());
beforeEach(() => scheduler.billing.setAway(false));

const inMonth = (month: string, day = 10) => ({ localTime: `${month}-${day}T10:00`, timeZone: 'Africa/Johannesburg' });
const used = (actorId: string, month: string) => scheduler.billing.used(actorId, 'scheduledPosts', month);
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (isAppError(error) ? `${error.kind} ${error.code}` : String(error)),
  );
const refused = 'plan_limited social_limit_plan';
const limited = (details: object) => ({ kind: 'plan_limited', code: 'social_limit_plan', details });

/** Creates a user with a Mastodon account. */
async function person(): Promise<{ actorId: string; mastodon: string }> {
  const actorId = randomUUID();
  return { actorId, mastodon: await scheduler.connected(actorId, 'mastodon') };
}

test('a plan limits scheduled posts per month, and an upgrade raises the limit at once', async () => {
  const { actorId, mastodon } = await person();
  const schedule = (month: string) => scheduler.post(actorId, [mastodon], inMonth(month));
  for (let n = 0; n < 3; n += 1) await schedule('2199-01');
  await expect(schedule('2199-01')).rejects.toMatchObject(
    limited({ feature: 'scheduledPosts', limit: 3, used: 3, liftedBy: ['plus', 'business'], addOn: null }),
  );
  // Each month has its own count, and immediate posts do not count.
  await schedule('2199-02');
  await scheduler.post(actorId, [mastodon]);
  await scheduler.billing.sell(actorId, 'plus');
  await eventually(async () => (await refusalOf(schedule('2199-01'))) === 'none');
  expect(used(actorId, '2199-01')).toBe(4);
});

test('a post that is cancelled, deleted or moved to another month no longer counts towards its month', async () => {
  const { actorId, mastodon } = await person();
  const posts = [];
  for (let n = 0; n < 3; n += 1) posts.push(await scheduler.post(actorId, [mastodon], inMonth('2199-03')));
  const [first, second, third] = posts.map(({ id }) => id);
  await scheduler.client.cancelPost({ actorId, postId: first ?? '' });
  await eventually(() => used(actorId, '2199-03') === 2);
  await scheduler.client.deletePost({ actorId, postId: second ?? '' });
  await eventually(() => used(actorId, '2199-03') === 1);
  const moved = {
    actorId,
    postId: third ?? '',
    text: 'Later',
    texts: {},
    media: [],
    connectionIds: [mastodon],
    platforms: [],
    everywhere: false,
    draft: false,
  };
  await scheduler.client.editPost({ ...moved, ...inMonth('2199-04') });
  await eventually(() => used(actorId, '2199-03') === 0 && used(actorId, '2199-04') === 1);
  // Moving within its month does not count again.
  await scheduler.client.editPost({ ...moved, ...inMonth('2199-04', 20) });
  await eventually(() => used(actorId, '2199-04') === 1);
});

test('a deleted post still counts if it may have been published, but not if every platform rejected it', async () => {
  const { actorId, mastodon } = await person();
  await scheduler.billing.sell(actorId, 'plus');
  const twitter = await eventually(() => scheduler.connected(actorId, 'twitter').catch(() => undefined));
  const soon = () => ({ localTime: new Date(Date.now() + 3_000).toISOString(), timeZone: 'UTC' });
  await scheduler.simulated.prepare('twitter', { step: 'publish', error: 'suspended' });
  const refusedByAll = await scheduler.post(actorId, [twitter], soon());
  const stateOf = async (id: string) => (await scheduler.list(actorId)).find((post) => post.id === id)?.state;
  await eventually(async () => (await stateOf(refusedByAll.id)) === 'failed');
  await scheduler.simulated.prepare('twitter', { step: 'publish', error: 'suspended' });
  const refusedByOne = await scheduler.post(actorId, [twitter, mastodon], soon());
  await eventually(async () => (await stateOf(refusedByOne.id)) === 'failed');
  const month = new Date().toISOString().slice(0, 7);
  await eventually(() => used(actorId, month) === 2);
  await scheduler.client.deletePost({ actorId, postId: refusedByOne.id });
  await scheduler.client.deletePost({ actorId, postId: refusedByAll.id });
  await eventually(() => used(actorId, month) === 1);
});

test('posts scheduled concurrently never exceed the limit of the plan, and each counts once', async () => {
  const { actorId, mastodon } = await person();
  const ids = Array.from({ length: 8 }, () => randomUUID());
  const all = [...ids, ...ids].map((postId) =>
    refusalOf(scheduler.post(actorId, [mastodon], { ...inMonth('2199-05'), postId })),
  );
  await Promise.all(all);
  expect(await scheduler.list(actorId)).toHaveLength(3);
  await eventually(() => used(actorId, '2199-05') === 3);
});

test('a plan limits platforms, and an upgrade raises the limit at once', async () => {
  const { actorId } = await person();
  await expect(scheduler.connected(actorId, 'twitter')).rejects.toMatchObject(
    limited({ feature: 'platforms', limit: 1, used: 1, liftedBy: ['plus', 'business'], addOn: null }),
  );
  await scheduler.billing.sell(actorId, 'plus');
  await eventually(async () => (await refusalOf(scheduler.connected(actorId, 'twitter'))) === 'none');
});

test('existing posts and connections keep working after a downgrade, and only new posts are rejected', async () => {
  const { actorId, mastodon } = await person();
  await scheduler.billing.sell(actorId, 'plus');
  const twitter = await eventually(() => scheduler.connected(actorId, 'twitter').catch(() => undefined));
  const soon = new Date(Date.now() + 3_000).toISOString();
  const due = await scheduler.post(actorId, [mastodon, twitter], { localTime: soon, timeZone: 'UTC' });
  const later: string[] = [];
  for (let n = 0; n < 4; n += 1) later.push((await scheduler.post(actorId, [mastodon], inMonth('2199-06'))).id);
  await scheduler.billing.sell(actorId, 'free');
  await eventually(async () => (await refusalOf(scheduler.post(actorId, [twitter]))) === refused);
  expect(await refusalOf(scheduler.post(actorId, [mastodon], inMonth('2199-06')))).toBe(refused);
  const atOnce = await scheduler.post(actorId, [mastodon]);

  const stateOf = async (id: string) => (await scheduler.list(actorId)).find((post) => post.id === id)?.state;
  for (const { id } of [due, atOnce]) await eventually(async () => (await stateOf(id)) === 'published');
  expect((await scheduler.simulated.posts('twitter')).map(({ text }) => text)).toContain(due.text);
  for (const id of later) expect(await stateOf(id)).toBe('scheduled');
  const { platforms } = await scheduler.client.listPlatforms({ actorId });
  expect(platforms.filter(({ connections }) => connections.length > 0).map(({ id }) => id)).toEqual([
    'twitter',
    'mastodon',
  ]);
});

test('the last known plan applies while billing is down, and usage is reported once afterwards', async () => {
  const [ann, ben] = [await person(), await person()];
  await scheduler.billing.sell(ann.actorId, 'plus');
  const schedule = ({ actorId, mastodon }: typeof ann, month: string) =>
    scheduler.post(actorId, [mastodon], inMonth(month));
  for (let n = 0; n < 3; n += 1) await schedule(ann, '2199-07');
  await eventually(async () => (await refusalOf(schedule(ann, '2199-07'))) === 'none');
  scheduler.billing.setAway(true);
  await schedule(ann, '2199-07');
  for (let n = 0; n < 3; n += 1) await schedule(ben, '2199-07');
  expect(await refusalOf(schedule(ben, '2199-07'))).toBe(refused);
  expect(used(ben.actorId, '2199-07')).toBe(0);
  scheduler.billing.setAway(false);
  await eventually(() => used(ann.actorId, '2199-07') === 5 && used(ben.actorId, '2199-07') === 3);
});
