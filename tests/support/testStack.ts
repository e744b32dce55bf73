import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase } from '@nolo/kit/db';
import { testBacking, uniqueName } from '@nolo/testing';
import { startStack, type Stack } from '../../scripts/stack.ts';

export interface TestStack {
  /** The addresses of the gateways. */
  urls: string[];
  stack: Stack;
  stop(): Promise<void>;
}

/**
 * Every service as a process of its own, on the servers that the run shares but with a database and prefixes that
 * nobody else uses.
 */
export async function startTestStack(options: { gateways?: number } = {}): Promise<TestStack> {
  const backing = testBacking();
  const name = uniqueName('stack');
  const home = await mkdtemp(join(tmpdir(), 'nolo-stack-'));
  const started = await startStack({
    home,
    backing,
    database: name,
    web: false,
    gateways: options.gateways ?? 1,
    environment: environmentOfTests(),
    env: { REDIS_PREFIX: name, NATS_PREFIX: name },
  }).catch((error: unknown) => {
    rmSync(home, { recursive: true, force: true });
    throw error;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await started.stop();
    await dropDatabase(backing.databaseUrl, name);
    rmSync(home, { recursive: true, force: true });
  };
  return { urls: started.urls, stack: started, stop: () => (stopping ??= stop()) };
}

/** What the machine provides, without what the person who runs the tests has set for an instance of their own. */
export function environmentOfTests(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'NOLO_TEST_RUN'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]));
}
