import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { migrate, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { createJobScheduler, type JobScheduler } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { createRegistry } from '@nolo/kit/telemetry';
import { createTestDatabase, openDatabase, readTestServerAddresses, createUniqueName } from '@nolo/testing';
import type { DeliveryStore, PostMediaSource } from '../src/domain/ports.ts';
import type { PostInput } from '../src/domain/posts.ts';
import { publishQueue } from '../src/domain/publishQueue.ts';
import { publishPost, type PublishDependencies } from '../src/jobs/publishPost.ts';
import { createKeyRing } from '@nolo/kit/keyRing';
import type { PlatformId } from '../src/domain/platform.ts';
import { createSocialMetrics } from '../src/metrics.ts';
import { measurePlatforms } from '../src/platforms/measurePlatforms.ts';
import { createConnectionStore } from '../src/store/connectionStore.ts';
import { createDeliveryStore } from '../src/store/deliveryStore.ts';
import { createPostStore } from '../src/store/postStore.ts';
import { createTestImage, startSimulatedPlatforms } from './startSimulatedPlatforms.ts';

const schema = 'social_scheduler';

/** Store that stops at the call that a test names. */
export type PausableDeliveryStore = DeliveryStore<Knex>;

/** Starts the stores on a real database, workers on a real Redis, and simulated platforms. */
export async function startPublishing() {
  const lines: string[] = [];
  const log = createLog({ service: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const database = await createTestDatabase([schema]);
  await migrate(database.urls[schema], schema, fileURLToPath(new URL('../migrations', import.meta.url)));
  // The pool is large enough for everyone, so races wait for locks only.
  const db = openDatabase(database.urls[schema], schema, 40);
  const simulated = await startSimulatedPlatforms();
  const keys = createKeyRing([{ name: 'test', key: randomBytes(32) }]);
  const connections = createConnectionStore(db, keys, systemClock);
  const deliveries = createDeliveryStore(db);
  const registry = createRegistry('test');
  const metrics = createSocialMetrics(registry, {
    connections: () => connections.count(),
    inReview: () => deliveries.countInReview(),
  });
  const media: PostMediaSource = { open: () => Promise.resolve(createTestImage()) };
  const redisPrefix = createUniqueName();
  const running: JobScheduler[] = [];
  const idle = createJobScheduler({
    db,
    service: 'test',
    redisUrl: readTestServerAddresses().redisUrl,
    redisPrefix,
    log,
    sweepEveryMs: 300,
  });
  const posts = createPostStore(db, idle);

  return {
    db,
    simulated,
    connections,
    deliveries,
    posts,
    /** Returns the metrics for Prometheus. */
    shown: () => registry.metrics(),
    /** Returns everything that was logged. */
    logged: () => lines.join(''),
    /** Starts another worker. `around` wraps the store, to fail where the test chooses. */
    work(
      around: (store: PausableDeliveryStore) => PausableDeliveryStore = (store) => store,
      {
        clock = systemClock,
        lookUpDelayMs = 500,
        holdReason = () => undefined,
        barredHosts = () => new Set(),
      }: {
        clock?: Clock;
        lookUpDelayMs?: number;
        holdReason?: PublishDependencies['holdReason'];
        barredHosts?: () => ReadonlySet<string>;
      } = {},
    ): JobScheduler {
      const jobs = createJobScheduler({
        db,
        service: 'test',
        redisUrl: readTestServerAddresses().redisUrl,
        redisPrefix,
        log,
        sweepEveryMs: 300,
        graceMs: 200,
        holdMs: 1_500,
      });
      const tools = { media, metrics, clock, log, holdReason, barredHosts };
      const dependencies = { ...tools, connections, deliveries: around(deliveries) };
      const platforms = measurePlatforms(simulated.platforms, metrics.platformSeconds);
      jobs.work(publishQueue, publishPost({ ...dependencies, platforms, lookUpDelayMs }));
      jobs.start();
      running.push(jobs);
      return jobs;
    },
    endWorkers: async () => void (await Promise.all(running.splice(0).map((jobs) => jobs.stop()))),
    /** Creates a user with these platforms connected. */
    async person(...platforms: PlatformId[]): Promise<{ userId: UserId; connectionIds: string[] }> {
      const userId = newId<UserId>();
      for (const id of platforms) await connections.put(userId, id, (await simulated.connect(id)).slice(0, 1));
      return { userId, connectionIds: (await connections.list(userId)).map(({ id }) => id) };
    },
    async stop() {
      await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
      await idle.stop();
      await simulated.stop();
      await db.destroy();
      await database.drop();
    },
  };
}

let count = 0;
export const createTestPostInput = (connectionIds: readonly string[], more: Partial<PostInput> = {}): PostInput => ({
  text: `Number ${(count += 1)} of ${newId()}`,
  texts: {},
  media: [],
  connectionIds,
  ...more,
});
