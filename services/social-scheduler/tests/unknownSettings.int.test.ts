import { randomUUID } from 'node:crypto';
import { eventually, createFakeClock } from '@nolo/testing';
import { startScheduler, type TestScheduler } from './startScheduler.ts';

const minute = 60_000;

let scheduler: TestScheduler;
let actorId: string;
let account: string;

async function begin(options: Parameters<typeof startScheduler>[0]): Promise<void> {
  scheduler = await startScheduler(options);
  actorId = randomUUID();
  account = await scheduler.connected(actorId, 'mastodon');
}

afterEach(() => scheduler.stop());

const stateOf = async (id: string) => (await scheduler.list(actorId)).find((post) => post.id === id)?.state;
const published = (id: string) => eventually(async () => (await stateOf(id)) === 'published');
const sent = async (text: string) =>
  (await scheduler.simulated.posts('mastodon')).filter((post) => post.text === text).length;

async function expectOnHold(code: string, { id, text }: { id: string; text: string }): Promise<void> {
  await eventually(async () => (await scheduler.jobHoldReasons()).includes(code));
  expect(await stateOf(id)).toBe('scheduled');
  expect(await sent(text)).toBe(0);
}

test('posts are sent for a while after identity goes down, then wait, and are sent once it is back', async () => {
  const clock = createFakeClock(new Date());
  await begin({ clock });
  await published((await scheduler.post(actorId, [account])).id);
  await scheduler.identity.leave();
  clock.advance(10 * minute);
  await published((await scheduler.post(actorId, [account])).id);
  clock.advance(10 * minute);
  const waiting = await scheduler.post(actorId, [account]);
  await expectOnHold('settings_unknown', waiting);
  await scheduler.identity.comeBack();
  await published(waiting.id);
  expect(await sent(waiting.text)).toBe(1);
  // Operators switch it off while this service cannot be notified.
  await scheduler.identity.leave();
  scheduler.identity.set.social = 'off';
  clock.advance(20 * minute);
  const late = await scheduler.post(actorId, [account]);
  await expectOnHold('settings_unknown', late);
  await scheduler.identity.comeBack();
  await expectOnHold('switched_off', late);
}, 60_000);

test('a worker that never received the settings sends nothing, and honours hosts barred meanwhile', async () => {
  await begin({ identityAway: true });
  const waiting = await scheduler.post(actorId, [account]);
  await expectOnHold('settings_unknown', waiting);
  scheduler.identity.set.hosts = ['evil.example'];
  const barred = await scheduler.post(actorId, [account], { text: `See https://evil.example/${randomUUID()}` });
  await scheduler.identity.comeBack();
  await published(waiting.id);
  await eventually(async () => (await stateOf(barred.id)) === 'failed');
  expect([await sent(waiting.text), await sent(barred.text)]).toEqual([1, 0]);
}, 60_000);
