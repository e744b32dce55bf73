import { connectBus, type Bus } from '@nolo/kit/bus';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { createDispatch, type DeliveryService } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import { createRelay, enqueue, type Relay } from '@nolo/kit/outbox';
import { createTestDatabase, eventually, type TestDatabase } from '@nolo/testing';
import { up } from './migrations/0001Outbox.ts';
import { startNatsServer, type NatsServer } from './natsServer.ts';

const log = createLog({ service: 'test', level: 'silent' });
let nats: NatsServer;
let database: TestDatabase<'identity'>;
let db: Knex;
let bus: Bus;
let relay: Relay | undefined;

beforeAll(async () => {
  nats = await startNatsServer();
  database = await createTestDatabase(['identity']);
  db = createDb({ url: database.urls.identity, schema: 'identity' });
  await up(db);
  bus = await connectBus({ url: nats.url, name: 'test', log });
});
afterAll(async () => {
  await relay?.stop();
  await bus.close();
  await db.destroy();
  await database.drop();
  await nats.remove();
});

it('frames go out while JetStream is away and NATS is not, and events follow once it is back', async () => {
  await nats.kill();
  await nats.start({ jetStream: false });
  await eventually(() => bus.flush().then(() => true));
  const frames: unknown[] = [];
  const events: unknown[] = [];
  const delivery = {
    deliverAll: async (deliveries: readonly { frame: { data: unknown } }[]) => {
      frames.push(...deliveries.map(({ frame }) => frame.data));
      await bus.flush();
    },
  } as unknown as DeliveryService;
  const made = createRelay({ db, dispatch: createDispatch({ bus, delivery }), log, pollMs: 100 });
  relay = made;
  made.start();
  const say = (...entries: Parameters<typeof enqueue> extends [unknown, ...infer Entries] ? Entries : never) =>
    inTransaction(db, (trx) => enqueue(trx, ...entries)).then(() => made.wake());

  await say({ subject: 'event.identity.block_changed', payload: 1, durable: true });
  for (const number of [1, 2, 3]) {
    await say({ subject: 'deliver', payload: { recipients: ['ann'], frame: { type: 'presence', data: number } } });
    await eventually(() => frames.length === number, { timeoutMs: 2000 });
  }
  await say({ subject: 'event.identity.block_changed', payload: 2, durable: true });

  await nats.kill();
  await nats.start();
  await bus.consume({
    durable: 'test',
    subjects: ['event.identity.block_changed'],
    handler: async ({ data }) => void events.push(data),
  });
  await eventually(() => events.length >= 2, { timeoutMs: 20_000 });
  expect([...new Set(events)]).toEqual([1, 2]);
  expect(frames).toEqual([1, 2, 3]);
}, 60_000);
