import { EventEmitter } from 'node:events';
import type { Bus } from '@nolo/kit/bus';
import type { ConnectionLeases } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import { createRegistry } from '@nolo/kit/telemetry';
import { createGatewayMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import { createConnectionRegistry } from './connections.ts';
import { startMissedFrameResync, computeResyncSliceSize } from './missedFrameResync.ts';
import type { FrameSender } from './send.ts';

const { jest } = import.meta;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function startResync({ people = [] as string[], refresh = async () => {} } = {}) {
  const redis = Object.assign(new EventEmitter(), { status: 'ready' });
  const bus = Object.assign(new EventEmitter(), { connected: true });
  const broadcasts: string[][] = [];
  const miss = new EventEmitter();
  const connections = createConnectionRegistry();
  for (const userId of people) connections.add({ userId } as Connection);
  const resync = startMissedFrameResync({
    bus: {
      onReconnect: (listener: () => void) => {
        bus.on('reconnect', listener);
        return () => undefined;
      },
      status: () => ({ connected: bus.connected }),
    } as unknown as Bus,
    redis: redis as unknown as Redis,
    leases: {
      refresh,
      onMissed: (listener: () => void) => void miss.on('missed', listener),
    } as unknown as ConnectionLeases,
    connections,
    sending: {
      frame: (type: string) => ({ type }),
      broadcast: (all: Connection[]) => broadcasts.push(all.map(({ userId }) => userId)),
    } as unknown as FrameSender,
    metrics: createGatewayMetrics(createRegistry('test')),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  return { redis, bus, broadcasts, miss: (...userIds: string[]) => miss.emit('missed', userIds), resync };
}

it('notifies only the clients of people who missed something', async () => {
  const { miss, broadcasts, resync } = startResync({ people: ['ann', 'ben', 'ann'] });
  miss('ann', 'left');
  await jest.advanceTimersByTimeAsync(1_000);
  expect(broadcasts).toEqual([['ann', 'ann']]);
  resync.stop();
});

it('spreads notifications over a time that grows with their number, up to about a minute', async () => {
  const everybody = Array.from({ length: 1_000 }, (_, nth) => `user ${nth}`);
  const { miss, broadcasts } = startResync({ people: everybody });
  miss(...everybody);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(broadcasts.flat().length).toBeGreaterThan(350);
  expect(broadcasts.flat().length).toBeLessThan(450);
  await jest.advanceTimersByTimeAsync(4_000);
  expect(broadcasts.flat()).toEqual(everybody);
  expect(computeResyncSliceSize(100_000) * 10 * 65).toBeGreaterThan(100_000);
});

it('refreshes after each outage, even if the previous refresh failed', async () => {
  let counts = 0;
  const refresh = async () => {
    counts += 1;
    if (counts === 1) throw new Error('away again');
  };
  const { redis, bus, broadcasts } = startResync({ people: ['ann'], refresh });
  redis.emit('ready');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(counts).toBe(1);
  bus.emit('reconnect');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(counts).toBe(3);
  // Expects no resync, because neither case lost a frame.
  expect(broadcasts).toEqual([]);
});

it.each(['redis', 'bus'] as const)('notifies everyone when %s is back while the other is still down', async (first) => {
  const { redis, bus, broadcasts } = startResync({ people: ['ann', 'ben'] });
  if (first === 'redis') bus.connected = false;
  else redis.status = 'reconnecting';
  if (first === 'redis') redis.emit('ready');
  else bus.emit('reconnect');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(broadcasts).toEqual([['ann', 'ben']]);
});
