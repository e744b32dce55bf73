import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { startScheduler, type TestScheduler } from './startScheduler.ts';
import { clientSecret, redirectUri } from './startSimulatedPlatforms.ts';

let scheduler: TestScheduler;
let client: TestScheduler['client'];
let simulated: TestScheduler['simulated'];
let events: TestScheduler['events'];

beforeAll(async () => {
  scheduler = await startScheduler();
  ({ client, simulated, events } = scheduler);
});
afterAll(() => scheduler.stop());

const connected = (actorId: string, platform: string) => scheduler.connected(actorId, platform);
const post = (actorId: string, connectionIds: string[], more = {}) => scheduler.post(actorId, connectionIds, more);
const list = (actorId: string) => scheduler.list(actorId);

test('a worker publishes a post to every connected account, and the list shows the outcome', async () => {
  const actorId = randomUUID();
  const mastodon = await connected(actorId, 'mastodon');
  const { connections } = await client.connectByPassword({
    actorId,
    platform: 'bluesky',
    name: 'example.bsky.social',
    password: clientSecret,
  });
  const { platforms } = await client.listPlatforms({ actorId });
  expect(platforms.map(({ id, offered, connections: mine }) => [id, offered, mine.length])).toEqual([
    ['twitter', true, 0],
    ['facebook', false, 0],
    ['linkedin', false, 0],
    ['instagram', false, 0],
    ['threads', false, 0],
    ['mastodon', true, 1],
    ['bluesky', true, 1],
  ]);

  const added = await post(actorId, [mastodon, connections[0]?.id ?? '']);
  await eventually(async () => (await list(actorId))[0]?.state === 'published');

  for (const platform of ['mastodon', 'bluesky'] as const) {
    const texts = (await simulated.posts(platform)).map(({ text }) => text);
    expect(texts.filter((text) => text === added.text)).toHaveLength(1);
  }
});

test('only its author can see, change, cancel or delete a post, or use their connection', async () => {
  const [actorId, strangerId] = [randomUUID(), randomUUID()];
  const connectionId = await connected(actorId, 'mastodon');
  const { id: postId } = await post(actorId, [connectionId], {
    localTime: '2199-01-01T10:00',
    timeZone: 'Africa/Johannesburg',
  });

  expect(await list(strangerId)).toEqual([]);
  for (const call of [client.cancelPost, client.retryPost, client.deletePost]) {
    await expect(call({ actorId: strangerId, postId })).rejects.toMatchObject({ code: 'post_not_found' });
  }
  await expect(post(strangerId, [], { postId, draft: true })).rejects.toMatchObject({ code: 'post_not_found' });
  await expect(post(strangerId, [connectionId])).rejects.toMatchObject({ code: 'connection_not_found' });

  expect((await client.cancelPost({ actorId, postId })).state).toBe('cancelled');
});

test('an invalid post is rejected with an error code that names the problem', async () => {
  const actorId = randomUUID();
  const connectionId = await connected(actorId, 'mastodon');
  const codeOf = (more: object) =>
    post(actorId, [connectionId], more).then(
      () => undefined,
      (error: unknown) => (error as { code?: string }).code,
    );
  expect(await codeOf({ text: '' })).toBe('post_empty');
  expect(await codeOf({ text: 'x'.repeat(501) })).toBe('post_too_long');
  expect(await codeOf({ localTime: '2020-01-01T10:00', timeZone: 'UTC' })).toBe('time_past');
  expect(await codeOf({ localTime: '2199-01-01T10:00', timeZone: 'Mars/Olympus' })).toBe('time_zone_unknown');
  expect(await codeOf({ localTime: 'tomorrow', timeZone: 'UTC' })).toBe('time_invalid');
  await expect(client.beginConnection({ actorId, platform: 'facebook', redirectUri })).rejects.toMatchObject({
    code: 'platform_unknown',
  });
  await expect(
    client.finishConnection({ actorId, platform: 'mastodon', query: 'code=1&state=2' }),
  ).rejects.toMatchObject({
    code: 'connection_failed',
  });
});

test('a closed account publishes nothing more, and its posts stay', async () => {
  const actorId = randomUUID();
  const connectionId = await connected(actorId, 'mastodon');
  await post(actorId, [connectionId], { localTime: '2199-01-01T10:00', timeZone: 'UTC' });
  await events.publishEvent('event.identity.account_closed', { userId: actorId, closed: true });
  await eventually(async () => (await list(actorId))[0]?.state === 'cancelled');
  expect(await list(actorId)).toHaveLength(1);
});

test('a deleted account leaves neither posts nor connections', async () => {
  const actorId = randomUUID();
  const connectionId = await connected(actorId, 'mastodon');
  await post(actorId, [connectionId], { localTime: '2199-01-01T10:00', timeZone: 'UTC' });

  await events.publishEvent('event.identity.user_deleted', { userId: actorId });

  // Posts go before connections, in steps.
  await eventually(async () => {
    expect(await list(actorId)).toEqual([]);
    const { platforms } = await client.listPlatforms({ actorId });
    expect(platforms.flatMap(({ connections }) => connections)).toEqual([]);
    return true;
  });
});
