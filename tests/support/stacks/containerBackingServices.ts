import { randomBytes } from 'node:crypto';
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import type { Progress } from '../../../scripts/progress.ts';
import {
  requireContainerEngine,
  getStoreImages,
  type SharedBackingServices,
  type StoreImages,
} from '../../../scripts/sharedBackingServices.ts';

/** Health check every second, with patience for a busy machine. */
const healthCheck = { interval: 1000, timeout: 5000, retries: 120 };

function containersFor(images: StoreImages, password: string) {
  return {
    postgres: new GenericContainer(images.postgres)
      .withEnvironment({ POSTGRES_USER: 'nolo', POSTGRES_PASSWORD: password })
      // Allows as many connections as the private server of a test run, and does not wait for a disk that is discarded.
      .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'timezone=UTC'])
      .withExposedPorts(5432)
      // Connects over TCP: while the image initializes the database, the server listens on its socket only.
      .withHealthCheck({ ...healthCheck, test: ['CMD', 'pg_isready', '--host=127.0.0.1', '--username=nolo'] }),
    redis: new GenericContainer(images.redis)
      .withCommand(['redis-server', '--requirepass', password, '--save', '', '--appendonly', 'no'])
      .withExposedPorts(6379)
      .withHealthCheck({
        ...healthCheck,
        test: ['CMD-SHELL', `REDISCLI_AUTH=${password} redis-cli ping | grep -q PONG`],
      }),
    nats: new GenericContainer(images.nats)
      .withCommand(['--user', 'nolo', '--pass', password, '--http_port', '8222'])
      .withExposedPorts(4222)
      .withHealthCheck({
        ...healthCheck,
        test: ['CMD', 'wget', '--quiet', '--spider', 'http://127.0.0.1:8222/healthz'],
      }),
  };
}

/**
 * Starts Postgres, Redis and NATS of one test run, in containers on ports that the engine chooses. However the run
 * ends, the library's own watcher removes them.
 *
 * @throws CommandError if no engine answers.
 */
export async function startContainerBackingServices(progress: Progress): Promise<SharedBackingServices> {
  await requireContainerEngine(getContainerRuntimeClient);
  const password = randomBytes(24).toString('hex');
  const images = getStoreImages(process.env);
  const started: StartedTestContainer[] = [];
  const stop = async () => {
    await Promise.all(started.splice(0).map((container) => container.stop()));
  };

  const up = (title: string, image: string, container: GenericContainer) =>
    progress.step(
      title,
      async () => {
        const running = await container.withWaitStrategy(Wait.forHealthCheck()).withStartupTimeout(180_000).start();
        started.push(running);
        return running;
      },
      () => `${image}, in a container`,
    );

  const { postgres, redis, nats } = containersFor(images, password);
  const results = await Promise.allSettled([
    up('Postgres', images.postgres, postgres),
    up('Redis', images.redis, redis),
    up('NATS', images.nats, nats),
  ]);
  const addresses = results.map((result, index) => {
    if (result.status === 'rejected') return undefined;
    return `${result.value.getHost()}:${String(result.value.getMappedPort([5432, 6379, 4222][index] ?? 0))}`;
  });
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  return {
    databaseUrl: `postgres://nolo:${password}@${addresses[0]}/postgres`,
    redisUrl: `redis://:${password}@${addresses[1]}/0`,
    natsUrl: `nats://nolo:${password}@${addresses[2]}`,
    stop,
  };
}
