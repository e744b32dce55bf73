import { randomBytes, randomUUID } from 'node:crypto';
import { loadConfig } from '@nolo/kit/config';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createClient } from '@nolo/kit/rpc';
import type { ServiceApp } from '@nolo/kit/service';
import { SocialServiceDefinition } from '@nolo/proto/social';
import type { Clock } from '@nolo/kit/clock';
import { createTestEnvironment, createFakeClock, openDatabase, startTestBilling, startTestEvents } from '@nolo/testing';
import { createSocialApp, createSocialWorker } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { startFakeIdentity } from './startFakeIdentity.ts';
import { approveConnection, clientSecret, redirectUri, startSimulatedPlatforms } from './startSimulatedPlatforms.ts';

const secret = 'a-secret-of-this-test-alone';

/**
 * Starts the service as operators run it, with one process for RPCs and one for publishing, and simulated platforms.
 */
export async function startScheduler({
  plans = false,
  identityAway = false,
  clock,
}: { plans?: boolean; identityAway?: boolean; clock?: Clock } = {}) {
  const stack = createStopStack();
  const environment = await createTestEnvironment(['social-scheduler']);
  stack.push('environment', () => environment.drop());
  const simulated = await startSimulatedPlatforms();
  stack.push('platforms', () => simulated.stop());
  const events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());
  const identity = await startFakeIdentity(secret, events.service);
  stack.push('identity', () => identity.leave());
  if (identityAway) await identity.leave();
  const billingClock = createFakeClock(new Date());
  const billing = await startTestBilling(environment, secret, () => billingClock.now());
  stack.push('billing', () => billing.stop());
  const variables = {
    ...environment.variablesFor('social-scheduler'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    IDENTITY_ADDR: identity.address,
    FILES_ADDR: '127.0.0.1:1',
    PUBLIC_URL: 'http://localhost:8080',
    SOCIAL_TOKEN_KEYS: `first:${randomBytes(32).toString('base64')}`,
    SOCIAL_PUBLISHES: 'false',
    X_CLIENT_ID: 'nolo',
    X_CLIENT_SECRET: clientSecret,
    X_URL: `${simulated.url}/platforms/twitter`,
    MASTODON_SERVERS: `${simulated.url}/platforms/mastodon`,
    BLUESKY_URL: `${simulated.url}/platforms/bluesky`,
    ...(plans ? { BILLING_ADDR: billing.address } : {}),
  };
  const config = loadConfig(configSchema, variables);
  const log = createLog({ service: 'test', level: 'fatal' });
  const start = async (app: ServiceApp) => {
    stack.push('app', () => app.stop());
    return await app.start();
  };
  const options = { config, log, longestPauseMs: 200, ...(clock && { clock }) };
  await start(createSocialWorker(options));
  const { rpc } = await start(createSocialApp(options));
  const client = createClient(SocialServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
  stack.push('client', () => client.close());
  const db = openDatabase(environment.urls['social-scheduler'], 'social_scheduler', 1);
  stack.push('db', () => db.destroy());

  return {
    client,
    simulated,
    events,
    identity,
    billing,
    /** Connects an account as a user who approves on the platform and returns. */
    async connected(actorId: string, platform: string): Promise<string> {
      const { address } = await client.beginConnection({ actorId, platform, redirectUri });
      const { search } = await approveConnection(address);
      const { connections } = await client.finishConnection({ actorId, platform, query: search.slice(1) });
      return connections[0]?.id ?? '';
    },
    post: (actorId: string, connectionIds: string[], more = {}) =>
      client.addPost({
        actorId,
        postId: randomUUID(),
        text: `A loaf of bread, ${randomUUID()}`,
        texts: {},
        media: [],
        connectionIds,
        timeZone: '',
        platforms: [],
        everywhere: false,
        draft: false,
        ...more,
      }),
    list: async (actorId: string) =>
      (await client.listPosts({ actorId, limit: 20, states: [], from: undefined, to: undefined })).posts,
    /** Returns the reasons for which jobs are held. */
    jobHoldReasons: async () =>
      (await db('jobs').whereLike('failure', 'held:%').select<{ failure: string }[]>('failure')).map(({ failure }) =>
        failure.slice('held:'.length),
      ),
    stop: () => stack.stop(),
  };
}

export type TestScheduler = Awaited<ReturnType<typeof startScheduler>>;
