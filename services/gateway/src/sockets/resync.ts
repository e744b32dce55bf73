import type { Bus } from '@nolo/kit/bus';
import type { Leases } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import type { EdgeMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import type { Connections } from './connections.ts';
import type { Sending } from './send.ts';

/** Both may come back at about the same time, and one round of questions is enough. */
const settleMs = 200;
/** Sockets told at a time; the rest follow at once, but not in the same moment. */
const perSlice = 500;
const sliceMs = 50;

/**
 * While NATS was away frames were lost, and while Redis was away, or too slow to take leases, they may have gone to
 * nobody. So after either came back this replica registers its people anew and then asks every client to fetch what it
 * missed.
 */
export function resyncAfterOutages(options: {
  bus: Bus;
  redis: Redis;
  leases: Leases;
  connections: Connections;
  sending: Sending;
  metrics: EdgeMetrics;
  log: Log;
}): { stop(): void } {
  const { bus, redis, leases, connections, sending, metrics, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  let running = false;
  let stopped = false;

  const tell = async () => {
    await leases.refresh();
    const framed = sending.frame('sync_required', {});
    const all: Connection[] = [...connections.all()];
    log.info({ sockets: all.length }, 'frames may have been lost; clients fetch what they missed');
    for (let start = 0; start < all.length && !stopped; start += perSlice) {
      metrics.resyncs.inc({ reason: 'outage' }, sending.broadcast(all.slice(start, start + perSlice), framed));
      await new Promise((resolve) => setTimeout(resolve, sliceMs));
    }
  };

  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await tell();
      } while (again && !stopped);
    } finally {
      running = false;
    }
  };

  const soon = () => {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      run().catch((error: unknown) => log.error({ err: error }, 'clients could not be asked to catch up'));
    }, settleMs);
  };

  const endBus = bus.onReconnect(soon);
  // The first `ready` was before this; each one that follows ends an outage.
  redis.on('ready', soon);
  leases.onRestored(soon);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      endBus();
      redis.off('ready', soon);
    },
  };
}
