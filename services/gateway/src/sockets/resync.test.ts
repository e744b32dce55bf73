import { EventEmitter } from 'node:events';
import type { Bus } from '@nolo/kit/bus';
import type { Leases } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import { createRegistry } from '@nolo/kit/telemetry';
import { eventually } from '@nolo/testing';
import { createMetrics } from '../http/metrics.ts';
import { createConnections } from './connections.ts';
import { resyncAfterOutages } from './resync.ts';
import type { Sending } from './send.ts';

it('asks clients to catch up after each outage, whatever went wrong after the one before', async () => {
  const redis = new EventEmitter();
  let rounds = 0;
  const refresh = async () => {
    rounds += 1;
    if (rounds === 1) throw new Error('away again');
  };
  const resync = resyncAfterOutages({
    bus: { onReconnect: () => () => undefined } as unknown as Bus,
    redis: redis as unknown as Redis,
    leases: { refresh, onRestored: () => undefined } as unknown as Leases,
    connections: createConnections(),
    sending: { frame: () => ({}), broadcast: () => 0 } as unknown as Sending,
    metrics: createMetrics(createRegistry('test')),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  for (let outage = 1; outage <= 2; outage += 1) {
    redis.emit('ready');
    await eventually(() => rounds === outage);
  }
  resync.stop();
});
