import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import type { RateLimitName } from '@nolo/rules';
import { testBacking, uniqueName, type TestBacking } from '@nolo/testing';
import { startStack, type Stack, type StackOptions } from '../../scripts/stack.ts';

export interface TestStack {
  /** The addresses of the gateways. */
  urls: string[];
  stack: Stack;
  /** Forgets what was counted against anybody under these limits. */
  forgetLimits(...names: RateLimitName[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Every service as a process of its own, on the servers that the run shares but with a database and prefixes that
 * nobody else uses.
 */
export async function startTestStack(
  options: Pick<StackOptions, 'gateways' | 'gatewayModule' | 'media' | 'transcription' | 'env'> & {
    /** In place of the addresses of the shared servers, for lines that can be cut. */
    backing?: Omit<TestBacking, 'databaseTemplate'>;
  } = {},
): Promise<TestStack> {
  const backing = options.backing ?? testBacking();
  const name = uniqueName('stack');
  const home = await mkdtemp(join(tmpdir(), 'nolo-stack-'));
  const started = await startStack({
    home,
    backing,
    database: name,
    template: testBacking().databaseTemplate,
    web: false,
    gateways: options.gateways ?? 1,
    media: options.media ?? false,
    transcription: options.transcription ?? false,
    ...(options.gatewayModule !== undefined && { gatewayModule: options.gatewayModule }),
    environment: environmentOfTests(),
    env: { REDIS_PREFIX: name, NATS_PREFIX: name, ...options.env },
  }).catch((error: unknown) => {
    rmSync(home, { recursive: true, force: true });
    throw error;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await started.stop();
    await dropDatabase(testBacking().databaseUrl, name);
    rmSync(home, { recursive: true, force: true });
  };
  const forgetLimits = async (...names: RateLimitName[]) => {
    const redis = await connectRedis({ url: backing.redisUrl, prefix: name, log: createLog({ service: 'test' }) });
    for (const limit of names) {
      const keys = await redis.keys(`${name}:limit:${limit}:*`);
      if (keys.length > 0) await redis.unlink(...keys.map((key) => key.slice(name.length + 1)));
    }
    await closeRedis(redis);
  };
  return { urls: started.urls, stack: started, forgetLimits, stop: () => (stopping ??= stop()) };
}

/** What the machine provides, without what the person who runs the tests has set for an instance of their own. */
export function environmentOfTests(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'XDG_CACHE_HOME', 'MEDIASOUP_WORKER_BIN', 'NOLO_TEST_RUN'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]));
}
