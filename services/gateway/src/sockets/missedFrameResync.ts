import type { Bus } from '@nolo/kit/bus';
import type { ConnectionLeases } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import type { GatewayMetrics } from '../http/metrics.ts';
import type { ConnectionRegistry } from './connections.ts';
import type { FrameSender } from './send.ts';

/** Delay before counting. NATS and Redis may recover at about the same time, and one round of queries is enough. */
const settleMs = 200;
/** Maximum delivery delay. Frames counted earlier than this have arrived or are lost. */
const arrivalMs = 1_000;
/**
 * Resyncs per second. Each client that catches up costs the services about 10 ms of work, and every replica may have as
 * many clients to notify. The rate rises only if notifying everyone would take more than a minute.
 */
const perSecond = 200;
const longestSeconds = 60;
const sliceMs = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns how many waiting users to notify in the next slice. */
export function computeResyncSliceSize(waiting: number): number {
  return Math.ceil((Math.max(perSecond, waiting / longestSeconds) * sliceMs) / 1_000);
}

/**
 * Asks clients to catch up when frames to them were lost: NATS or Redis was down, Redis lost its data, or its clock
 * jumped. Leases count the frames sent to each user and reveal who is affected. After an outage this counts at once
 * instead of waiting for the next regular count.
 */
export function startMissedFrameResync(options: {
  bus: Bus;
  redis: Redis;
  leases: ConnectionLeases;
  connections: ConnectionRegistry;
  sending: FrameSender;
  metrics: GatewayMetrics;
  log: Log;
}): { stop(): void } {
  const { bus, redis, leases, connections, sending, metrics, log } = options;
  const waiting = new Set<string>();
  let runningBroadcast: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let blind = false;

  const broadcastResync = async () => {
    const framed = sending.frame('sync_required', {});
    let atOnce = 0;
    while (waiting.size > 0 && !stopped) {
      // Keeps the slice size from shrinking as the queue drains, or the last users would wait ever longer.
      atOnce = Math.max(atOnce, computeResyncSliceSize(waiting.size));
      const slice = [...waiting.values().take(atOnce)];
      for (const userId of slice) waiting.delete(userId);
      const sockets = slice.flatMap((userId) => connections.of(userId));
      metrics.resyncs.inc({ reason: 'missed' }, sending.broadcast(sockets, framed));
      await pause(sliceMs);
    }
  };

  const onMissed = (userIds: readonly string[]) => {
    log.info({ users: userIds.length }, 'frames lost; clients will fetch what they missed');
    for (const userId of userIds) waiting.add(userId);
    runningBroadcast ??= broadcastResync().finally(() => (runningBroadcast = undefined));
  };

  /** Counts twice; the second count detects everything lost until now. */
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
      compare().catch((error: unknown) => log.error({ err: error }, 'comparing frame counts failed'));
    }, settleMs);
  };

  /** Handles the end of an outage. If the other connection is still down, frames sent meanwhile were not counted. */
  const onEnd = () => {
    blind ||= redis.status !== 'ready' || !bus.status().connected;
    soon();
  };
  const endBus = bus.onReconnect(onEnd);
  // The initial `ready` came earlier, so every `ready` from here ends an outage.
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
