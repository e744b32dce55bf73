import type { Redis } from 'ioredis';
import type { Bus } from '../bus/bus.ts';
import { createDeliveryService, createOutboxDispatch, type FrameDelivery } from './delivery.ts';
import { createLog } from '../telemetry/log.ts';

const log = createLog({ service: 'test', level: 'silent' });

/** Simulates Redis lookups from a table, one pipeline at a time. */
function leasesOf(table: Record<string, string[]>, writes: Error | null = null): { redis: Redis; trips: () => number } {
  let trips = 0;
  const pipeline = () => {
    const answers: [Error | null, unknown][] = [];
    return {
      eval: (_script: string, count: number, ...rest: string[]) => {
        const users = rest.slice(0, count).map((key) => key.replace('lease:', ''));
        const replicas = [...new Set(Object.values(table).flat())];
        const placesIn = (replica: string) =>
          users.flatMap((user, index) => (table[user]?.includes(replica) === true ? [index + 1] : [])).join(' ');
        const placesByReplica = replicas
          .map((replica) => [replica, placesIn(replica)])
          .filter(([, places]) => places !== '');
        answers.push([null, placesByReplica.flat()]);
      },
      set: () => void answers.push([writes, 'OK']),
      exec: async () => {
        trips += 1;
        return answers;
      },
    };
  };
  return { redis: { pipeline } as unknown as Redis, trips: () => trips };
}

const brokenRedis = {
  pipeline: () => ({
    eval: () => undefined,
    set: () => undefined,
    exec: () => Promise.reject(new Error('Connection is closed.')),
  }),
} as unknown as Redis;

function recordingBus(connected = true) {
  const published: { subject: string; data: FrameDelivery }[] = [];
  const traces: (string | undefined)[] = [];
  const bus = {
    publish: (subject: string, data: FrameDelivery, trace?: string) => {
      published.push({ subject, data });
      traces.push(trace);
    },
    flush: async () => undefined,
    status: () => ({ connected }),
  } as unknown as Bus;
  return { bus, published, traces };
}

const frame = { type: 'new_message', data: { seq: 1 } };

describe('createDelivery', () => {
  it('publishes once per gateway, with the users connected to it', async () => {
    const { redis, trips } = leasesOf({ ann: ['g1', 'g2'], ben: ['g1'] });
    const { bus, published } = recordingBus();
    await createDeliveryService({ redis, bus, log }).deliverAll([
      { recipients: ['ann', 'ben', 'cem', 'ben'], frame, scope: 'c1' },
    ]);
    expect(published).toEqual([
      { subject: 'gateway.g1.deliver', data: { recipients: ['ann', 'ben'], frame, scope: 'c1' } },
      { subject: 'gateway.g2.deliver', data: { recipients: ['ann'], frame, scope: 'c1' } },
    ]);
    expect(trips()).toBe(1);
  });

  it('looks up leases once for many deliveries, and keeps their order', async () => {
    const { redis, trips } = leasesOf({ ann: ['g1'] });
    const { bus, published } = recordingBus();
    const deliveries = [1, 2, 3].map((seq) => ({ recipients: ['ann'], frame: { type: 'new_message', data: { seq } } }));
    await createDeliveryService({ redis, bus, log }).deliverAll(deliveries);
    expect(published.map(({ data }) => data.frame.data)).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    expect(trips()).toBe(1);
  });

  it('publishes to every gateway while Redis is unreachable', async () => {
    const { bus, published } = recordingBus();
    await createDeliveryService({ redis: brokenRedis, bus, log }).deliverAll([{ recipients: ['ann'], frame }]);
    expect(published).toEqual([{ subject: 'gateway.all.deliver', data: { recipients: ['ann'], frame } }]);
  });

  it('publishes to every gateway while Redis refuses writes, because its leases may be outdated', async () => {
    const { redis } = leasesOf({ ann: ['g1'] }, new Error("OOM command not allowed when used memory > 'maxmemory'."));
    const { bus, published } = recordingBus();
    await createDeliveryService({ redis, bus, log }).deliverAll([{ recipients: ['ann', 'ben'], frame }]);
    expect(published).toEqual([{ subject: 'gateway.all.deliver', data: { recipients: ['ann', 'ben'], frame } }]);
  });

  it('fails while the bus is down, so that the outbox keeps its rows', async () => {
    const { redis } = leasesOf({ ann: ['g1'] });
    const { bus, published } = recordingBus(false);
    await expect(
      createDeliveryService({ redis, bus, log }).deliverAll([{ recipients: ['ann'], frame }]),
    ).rejects.toMatchObject({
      code: 'bus_unavailable',
    });
    expect(published).toEqual([]);
  });
});

describe('createDispatch', () => {
  it('dispatches each row according to its subject', async () => {
    const { redis } = leasesOf({ ann: ['g1'] });
    const { bus, published } = recordingBus();
    const dispatch = createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) });
    const row = { createdAt: new Date(), traceparent: null };
    await dispatch([
      { ...row, id: '1', subject: 'deliver', payload: { recipients: ['ann'], frame } },
      { ...row, id: '3', subject: 'presence.changed', payload: { userId: 'x' } },
    ]);
    expect(published.map(({ subject }) => subject).sort()).toEqual(['gateway.g1.deliver', 'presence.changed']);
  });

  it('passes on the trace of each row separately from its payload', async () => {
    const { redis } = leasesOf({ ann: ['g1'] });
    const { bus, published, traces } = recordingBus();
    const dispatch = createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) });
    const row = { createdAt: new Date(), subject: 'deliver' };
    await dispatch([
      { ...row, id: '1', payload: { recipients: ['ann'], frame }, traceparent: 'first' },
      { ...row, id: '2', payload: { recipients: ['ann'], frame }, traceparent: null },
    ]);
    expect(traces).toEqual(['first', undefined]);
    expect(published.map(({ data }) => data)).toEqual([
      { recipients: ['ann'], frame, counted: true },
      { recipients: ['ann'], frame, counted: true },
    ]);
  });
});
