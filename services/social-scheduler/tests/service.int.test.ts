import { randomBytes, randomUUID } from 'node:crypto';
import { loadConfig } from '@nolo/kit/config';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import type { App } from '@nolo/kit/service';
import { SocialServiceService } from '@nolo/proto/social';
import { createTestEnvironment, eventually, startTestEvents, type TestEvents } from '@nolo/testing';
import { createApp, createWorker } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { allow, clientSecret, redirectUri, startPlatforms } from './startPlatforms.ts';

const secret = 'a-secret-of-this-test-alone';
const stack = createStopStack();
let simulated: Awaited<ReturnType<typeof startPlatforms>>;
let events: TestEvents;
let client: RpcClient<typeof SocialServiceService>;

beforeAll(async () => {
  const environment = await createTestEnvironment(['social-scheduler']);
  stack.push('environment', () => environment.drop());
  simulated = await startPlatforms();
  stack.push('platforms', () => simulated.stop());
  events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());
  const variables = {
    ...environment.variablesFor('social-scheduler'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    IDENTITY_ADDR: events.address,
    FILES_ADDR: '127.0.0.1:1',
    PUBLIC_URL: 'http://localhost:8080',
    SOCIAL_TOKEN_KEYS: `first:${randomBytes(32).toString('base64')}`,
    SOCIAL_PUBLISHES: 'false',
    X_CLIENT_ID: 'nolo',
    X_CLIENT_SECRET: clientSecret,
    X_URL: `${simulated.url}/platforms/twitter`,
    MASTODON_SERVERS: `${simulated.url}/platforms/mastodon`,
    BLUESKY_URL: `${simulated.url}/platforms/bluesky`,
  };
  const config = loadConfig(configSchema, variables);
  const log = createLog({ service: 'test', level: 'fatal' });
  const start = async (app: App) => {
    stack.push('app', () => app.stop());
    return await app.start();
  };
  // As an operator has them: one process takes calls, another one publishes.
  await start(createWorker({ config, log, longestPauseMs: 200 }));
  const { rpc } = await start(createApp({ config, log, longestPauseMs: 200 }));
  client = createClient(SocialServiceService, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
  stack.push('client', () => client.close());
}, 60_000);

afterAll(() => stack.stop());

/** Somebody who went to the platform, allowed it and came back. */
async function connected(actorId: string, platform: string): Promise<string> {
  const { address } = await client.beginConnection({ actorId, platform, redirectUri, server: '' });
  const { search } = await allow(address);
  const { connections } = await client.finishConnection({ actorId, platform, query: search.slice(1) });
  return connections[0]?.id ?? '';
}

const post = (actorId: string, connectionIds: string[], more = {}) =>
  client.addPost({
    actorId,
    postId: randomUUID(),
    text: `A loaf of bread, ${randomUUID()}`,
    texts: {},
    media: [],
    connectionIds,
    localTime: '',
    timeZone: '',
    platforms: [],
    everywhere: false,
    draft: false,
    ...more,
  });

const list = async (actorId: string) =>
  (await client.listPosts({ actorId, limit: 20, cursor: '', states: [], from: undefined, to: undefined })).posts;

test('a post goes out at each account that was connected, by a worker, and is listed with what became of it', async () => {
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
    ['instagram', false, 0],
    ['linkedin', false, 0],
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

test('nobody else sees, changes, takes back or forgets a post, or posts by somebody’s connection', async () => {
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

test('what cannot be posted is refused by its name', async () => {
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
  await expect(
    client.beginConnection({ actorId, platform: 'facebook', redirectUri, server: '' }),
  ).rejects.toMatchObject({
    code: 'platform_unknown',
  });
  await expect(
    client.finishConnection({ actorId, platform: 'mastodon', query: 'code=1&state=2' }),
  ).rejects.toMatchObject({
    code: 'connection_failed',
  });
});

test('with an account go its posts and connections', async () => {
  const actorId = randomUUID();
  const connectionId = await connected(actorId, 'mastodon');
  await post(actorId, [connectionId], { localTime: '2199-01-01T10:00', timeZone: 'UTC' });

  await events.tell('event.identity.user_deleted', { userId: actorId });

  await eventually(async () => (await list(actorId)).length === 0);
  const { platforms } = await client.listPlatforms({ actorId });
  expect(platforms.flatMap(({ connections }) => connections)).toEqual([]);
});
