import { findFreePort } from '../../../scripts/ports.ts';
import type { ReplicaOptions } from '../../../scripts/stack.ts';
import { startBalancer, type Balancer } from './balancer.ts';

/** Services with two processes that answer the same calls. Both processes of files share a folder. */
const paired = ['identity', 'chat', 'files', 'meetings'] as const;

/** Launcher settings for two processes of each service. */
export interface ServicePairs {
  replicas: Record<string, readonly ReplicaOptions[]>;
  rpcPorts: Record<string, number>;
  stop(): Promise<void>;
}

/** Arranges two processes of each service behind an address that distributes connections, as in a cluster. */
export async function startServicePairs(
  pair: (service: string) => readonly [ReplicaOptions, ReplicaOptions],
): Promise<ServicePairs> {
  const balancers: Balancer[] = [];
  const pairs: ServicePairs = {
    replicas: { gateway: pair('gateway') },
    rpcPorts: {},
    stop: async () => void (await Promise.all(balancers.map((balancer) => balancer.stop()))),
  };
  for (const service of paired) {
    const listen = [`127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`];
    // A connection that one refuses goes to the other.
    const balancer = await startBalancer(
      listen.map((address) => `http://${address}`),
      () => Promise.resolve(true),
    );
    balancers.push(balancer);
    pairs.rpcPorts[service] = Number(new URL(balancer.url).port);
    pairs.replicas[service] = pair(service).map((replica, index) => ({
      ...replica,
      env: { ...replica.env, RPC_LISTEN: listen[index] ?? '' },
    }));
  }
  return pairs;
}

/** Returns the settings of a process whose clock is wrong. */
export function createClockOffsetOptions(seconds: number): ReplicaOptions {
  const preload = new URL('wrongClock.mjs', import.meta.url).pathname;
  return { env: { NODE_OPTIONS: `--import=${preload}`, NOLO_TEST_CLOCK_OFF_MS: String(seconds * 1_000) } };
}
