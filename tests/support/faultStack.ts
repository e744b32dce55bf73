import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApi } from '@nolo/testing';
import { forgetBacking } from '../../scripts/backing.ts';
import { startBacking, startStack, type Backing, type Stack } from '../../scripts/stack.ts';
import { environmentOfTests } from './testStack.ts';

/** What can be taken away. */
export const victims = ['gateway', 'gateway2', 'chat', 'identity', 'nats', 'redis', 'postgres'] as const;
export type Victim = (typeof victims)[number];

export interface FaultStack {
  urls: string[];
  /** Ends it without a goodbye and leaves it down. Postgres is stopped in the mode that it calls immediate. */
  takeDown(victim: Victim): Promise<void>;
  bringBack(victim: Victim): Promise<void>;
  /** Stops a service in good order and starts it again. */
  restart(victim: Exclude<Victim, 'nats' | 'redis' | 'postgres'>): Promise<void>;
  stop(): Promise<void>;
}

/** A Nolo of its own down to the databases, of which every part can be killed. */
export async function startFaultStack(): Promise<FaultStack> {
  const home = await mkdtemp(join(tmpdir(), 'nolo-faults-'));
  // Under root, Postgres runs as somebody else, who has to get at its data.
  await chmod(home, 0o711);
  const forget = () => {
    forgetBacking(home);
    rmSync(home, { recursive: true, force: true });
  };
  let backing: Backing | undefined;
  let stack: Stack | undefined;
  const stop = async () => {
    await stack?.stop();
    await backing?.stop();
    forget();
  };
  try {
    // With fsync, for what is tested is what survives.
    backing = await startBacking({ home, environment: environmentOfTests() });
    stack = await startStack({ home, backing, gateways: 2, web: false, environment: environmentOfTests() });
  } catch (error) {
    await stop();
    throw error;
  }
  const stores = backing;
  const services = stack;
  let stopping: Promise<void> | undefined;
  return {
    urls: stack.urls,
    async takeDown(victim) {
      if (victim === 'postgres') await stores.postgres.stop('immediate');
      else if (victim === 'nats' || victim === 'redis') await stores[victim].kill('SIGKILL');
      else await services.service(victim).kill('SIGKILL', { hold: true });
    },
    async bringBack(victim) {
      if (victim === 'postgres' || victim === 'nats' || victim === 'redis') await stores[victim].start();
      else await services.service(victim).start();
    },
    restart: (victim) => services.service(victim).restart(),
    stop: () => (stopping ??= stop()),
  };
}

/** Fails, with what is missing, unless everything is there and has found each other again. */
export async function demandHealth(url: string): Promise<true> {
  const { status, body } = await new TestApi(url).get('/healthz');
  if (status === 200) return true;
  throw new Error(`${url} is not healthy: ${JSON.stringify(body)}`);
}
