import { connectBus, type Bus, type DurableEvent } from '@nolo/kit/bus';
import { createLog } from '@nolo/kit/log';
import { eventually, testBacking, uniqueName } from '@nolo/testing';
import { startNatsServer, type NatsServer } from './natsServer.ts';

const log = createLog({ service: 'test', level: 'silent' });
const deleted = 'event.identity.user_deleted';
const open: Bus[] = [];

async function connect(url: string, prefix: string): Promise<Bus> {
  const bus = await connectBus({ url, name: 'test', log, prefix });
  open.push(bus);
  return bus;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.close()));
});

describe('the bus', () => {
  const { natsUrl } = testBacking();

  it('brings messages to who listens, and keeps installations apart', async () => {
    const prefix = uniqueName();
    const [one, two, stranger] = await Promise.all([
      connect(natsUrl, prefix),
      connect(natsUrl, prefix),
      connect(natsUrl, uniqueName()),
    ]);
    const heard: unknown[] = [];
    two.subscribe('gateway.*.deliver', (data, subject) => void heard.push([subject, data]));
    stranger.subscribe('gateway.>', (data) => void heard.push(['stranger', data]));
    await Promise.all([two.flush(), stranger.flush()]);
    one.publish('gateway.g1.deliver', { hello: 1 });
    await one.flush();
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([['gateway.g1.deliver', { hello: 1 }]]);
  });

  it('keeps durable events for a consumer that comes later, once per id', async () => {
    const bus = await connect(natsUrl, uniqueName());
    await bus.publishDurable(deleted, { userId: 'u1' }, 'm1');
    await bus.publishDurable(deleted, { userId: 'u1' }, 'm1');
    await bus.publishDurable('event.identity.block_changed', { blocked: true }, 'm2');
    const events: DurableEvent[] = [];
    await bus.consume({
      durable: 'chat',
      subjects: [deleted, 'event.identity.block_changed'],
      handler: async (event) => void events.push(event),
    });
    await eventually(() => events.length === 2);
    expect(events.map(({ id, subject, attempt }) => `${subject} ${id} ${attempt}`).sort()).toEqual([
      'event.identity.block_changed m2 1',
      `${deleted} m1 1`,
    ]);
  });

  it('shares events out among the replicas of a service', async () => {
    const prefix = uniqueName();
    const [one, two] = await Promise.all([connect(natsUrl, prefix), connect(natsUrl, prefix)]);
    const handled: string[] = [];
    const handler = async ({ id }: DurableEvent) => void handled.push(id);
    await Promise.all([one, two].map((bus) => bus.consume({ durable: 'chat', subjects: [deleted], handler })));
    for (let index = 0; index < 20; index += 1) await one.publishDurable(deleted, {}, `m${index}`);
    await eventually(() => handled.length >= 20);
    expect(new Set(handled).size).toBe(20);
    expect(handled).toHaveLength(20);
  });

  it('tries again what failed, and gives up in the end', async () => {
    const bus = await connect(natsUrl, uniqueName());
    const attempts: Record<string, number> = {};
    await bus.consume({
      durable: 'chat',
      subjects: [deleted],
      backoffMs: [10],
      maxDeliver: 4,
      handler: async ({ id, attempt }) => {
        attempts[id] = attempt;
        if (id === 'never' || attempt < 3) throw new Error('not now');
      },
    });
    await bus.publishDurable(deleted, {}, 'later');
    await bus.publishDurable(deleted, {}, 'never');
    await bus.publishDurable(deleted, {}, 'last');
    await eventually(() => attempts['never'] === 4 && attempts['last'] === 3);
    expect(attempts).toEqual({ later: 3, never: 4, last: 3 });
  });

  it('names the variable where NATS never comes', async () => {
    const attempt = connectBus({ url: 'nats://127.0.0.1:1', name: 'test', log, connectTimeoutMs: 300 });
    await expect(attempt).rejects.toThrow('NATS_URL');
  });
});

describe('a NATS that is killed', () => {
  let server: NatsServer;

  beforeEach(async () => {
    server = await startNatsServer();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.close()));
    await server.remove();
  });

  it.each([
    ['with its store', false],
    ['with an empty store', true],
  ])(
    'and comes back %s is found again, with subscriptions and consumers',
    async (_title, emptyStore) => {
      const bus = await connect(server.url, uniqueName());
      const heard: unknown[] = [];
      const events: string[] = [];
      let reconnects = 0;
      bus.onReconnect(() => (reconnects += 1));
      bus.subscribe('live', (data) => void heard.push(data));
      await bus.consume({ durable: 'chat', subjects: [deleted], handler: async ({ id }) => void events.push(id) });
      await bus.publishDurable(deleted, {}, 'before');
      await eventually(() => events.includes('before'));

      for (let round = 1; round <= 2; round += 1) {
        await server.kill();
        await eventually(() => !bus.status().connected);
        await expect(bus.flush(500)).rejects.toMatchObject({ kind: 'unavailable', code: 'bus_unavailable' });
        const refusal: unknown = await bus
          .publishDurable(deleted, {}, `during${round}`)
          .catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'bus_unavailable' });
        // Not even tried, which would be waited for: what failed has a cause.
        expect(refusal).not.toHaveProperty('cause');
        bus.publish('live', 'dropped');

        await server.start({ emptyStore });
        await eventually(() => reconnects === round, { timeoutMs: 5000 });
        await bus.publishDurable(deleted, {}, `after${round}`);
        bus.publish('live', round);
        await bus.flush();
        await eventually(() => events.includes(`after${round}`) && heard.includes(round), { timeoutMs: 5000 });
      }
      expect(heard).toEqual([1, 2]);
      // At least once: an acknowledgement that dies with the server brings its event again.
      expect(new Set(events)).toEqual(new Set(['before', 'after1', 'after2']));
    },
    40_000,
  );

  it('does not keep anyone from leaving', async () => {
    const bus = await connect(server.url, uniqueName());
    await bus.consume({ durable: 'chat', subjects: [deleted], handler: async () => undefined });
    await server.kill();
    await Promise.all([bus.close(), bus.close()]);
  });
});
