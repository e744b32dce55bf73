import type { Bus } from '@nolo/kit/bus';
import type { Leases } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import type { EdgeMetrics } from '../http/metrics.ts';
import type { Connections } from './connections.ts';
import type { Sending } from './send.ts';

/** Both may come back at about the same time, and one round of questions is enough. */
const settleMs = 200;
/** What was handed on by the time of a count has arrived so much later, or was lost. */
const arrivalMs = 1_000;
/**
 * Each client that catches up asks the services for some 10 ms of work, and every replica may have as many to tell at the
 * same time; so only some are told each second, unless all would take more than a minute.
 */
const perSecond = 200;
const longestSeconds = 60;
const sliceMs = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How many of those who wait are told in the next slice. */
export function sliceOf(waiting: number): number {
  return Math.ceil((Math.max(perSecond, waiting / longestSeconds) * sliceMs) / 1_000);
}

/**
 * Asks the clients of those to catch up for whom frames were lost: NATS or Redis were away, Redis lost what it knew or its
 * clock jumped. Who that was is told by the leases, which count what was handed on for each; after an outage nobody waits
 * for the next regular count.
 */
export function resyncMissed(options: {
  bus: Bus;
  redis: Redis;
  leases: Leases;
  connections: Connections;
  sending: Sending;
  metrics: EdgeMetrics;
  log: Log;
}): { stop(): void } {
  const { bus, redis, leases, connections, sending, metrics, log } = options;
  const waiting = new Set<string>();
  let telling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let blind = false;

  const tell = async () => {
    const framed = sending.frame('sync_required', {});
    let atOnce = 0;
    while (waiting.size > 0 && !stopped) {
      // Not ever fewer as they become fewer, or the last would wait for ever longer.
      atOnce = Math.max(atOnce, sliceOf(waiting.size));
      const slice = [...waiting.values().take(atOnce)];
      for (const userId of slice) waiting.delete(userId);
      const sockets = slice.flatMap((userId) => connections.of(userId));
      metrics.resyncs.inc({ reason: 'missed' }, sending.broadcast(sockets, framed));
      await pause(sliceMs);
    }
  };

  const onMissed = (userIds: readonly string[]) => {
    log.info({ users: userIds.length }, 'frames were lost; clients fetch what they missed');
    for (const userId of userIds) waiting.add(userId);
    telling ??= tell().finally(() => (telling = undefined));
  };

  /** What was lost until now is seen by the second count. */
  const compare = async () => {
    if (blind) {
      blind = false;
      onMissed([...connections.all()].map(({ userId }) => userId));
    }
    await leases.refresh();
    await pause(arrivalMs);
    if (!stopped) await leases.refresh();
  };

  const soon = () => {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      compare().catch((error: unknown) => log.error({ err: error }, 'frames could not be counted'));
    }, settleMs);
  };

  /** Of two outages at once the first to end finds the other still on: what was sent meanwhile was not counted. */
  const onEnd = () => {
    blind ||= redis.status !== 'ready' || !bus.status().connected;
    soon();
  };
  const endBus = bus.onReconnect(onEnd);
  // The first `ready` was before this; each one that follows ends an outage.
  redis.on('ready', onEnd);
  leases.onMissed(onMissed);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      endBus();
      redis.off('ready', onEnd);
    },
  };
}
