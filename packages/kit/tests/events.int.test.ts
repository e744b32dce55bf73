import { connectBus, type Bus } from '@nolo/kit/bus';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import {
  appendEvents,
  consumeEvents,
  createEventLog,
  maxEventBytes,
  type EventEntry,
  type EventLog,
} from '@nolo/kit/events';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { createClient, bindRpcService, serveRpc, type RpcServer } from '@nolo/kit/rpc';
import { createRegistry } from '@nolo/kit/telemetry';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import {
  createTestDatabase,
  eventually,
  readTestServerAddresses,
  createUniqueName,
  type TestDatabase,
} from '@nolo/testing';
import { up } from './migrations/0001Outbox.ts';

const log = createLog({ service: 'test', level: 'silent' });
const subject = 'event.identity.changed';
const secret = 'the-secret-of-these-tests';
const prefix = createUniqueName();
let database: TestDatabase<'identity' | 'chat'>;
/** Databases of the owner and of the consumer. */
let identity: Knex;
let chat: Knex;
let bus: Bus;
let events: EventLog;
let server: RpcServer;
let owner: ReturnType<typeof clientOf>;
const stops: (() => Promise<void>)[] = [];

const clientOf = (port: number) => createClient(EventLogServiceDefinition, `127.0.0.1:${port}`, { secret });

beforeAll(async () => {
  database = await createTestDatabase(['identity', 'chat']);
  identity = createDb({ url: database.urls.identity, schema: 'identity' });
  chat = createDb({ url: database.urls.chat, schema: 'chat' });
  await up(identity);
  await up(chat);
  bus = await connectBus({ url: readTestServerAddresses().natsUrl, prefix, name: 'test', log });
  events = createEventLog({ db: identity, source: 'identity', bus, log, keptDays: 30, pollMs: 60_000 });
  events.start();
  const services = [bindRpcService(EventLogServiceDefinition, events.handlers)];
  server = await serveRpc({ listen: { host: '127.0.0.1', port: 0 }, secret, log, services });
  owner = clientOf(server.port);
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await identity.raw('delete from events; update event_log set last_position = 0, swept_position = 0');
  await chat.raw('delete from parked_events; delete from event_cursors');
});
afterAll(async () => {
  owner.close();
  await server.stop();
  await events.stop();
  await bus.close();
  await identity.destroy();
  await chat.destroy();
  await database.drop();
});

const entry = (payload: unknown, key = 'one'): EventEntry => ({ subject, key, payload });
const write = async (...entries: EventEntry[]) => {
  await inTransaction(identity, (trx) => appendEvents(trx, ...entries));
  events.wake();
};

type Handler = (data: unknown, event: { id: string; attempt: number }) => Promise<void> | void;

/** Starts a replica of the service that consumes. */
function consume(
  handler: Handler,
  more: { slowMs?: number; pollMs?: number; db?: Knex; owner?: Pick<typeof owner, 'readEvents'> } = {},
) {
  const stop = consumeEvents({
    db: chat,
    bus,
    log,
    source: 'identity',
    owner,
    handlers: { [subject]: async (event) => handler(event.data, event) },
    ...more,
  });
  stops.push(stop);
  return stop;
}

const parked = () => chat('parked_events').orderBy('position').select('payload', 'error', 'attempts', 'next_try_at');
const cursor = async () =>
  ((await chat('event_cursors').first('position')) as { position: number } | undefined)?.position;

describe('a log', () => {
  it('gives a late consumer everything from the start, in order, and each event once', async () => {
    await write(entry(1), entry(2));
    await write(entry(3));
    const seen: unknown[] = [];
    const stop = consume((data) => void seen.push(data));
    await eventually(() => seen.length === 3);
    await write(entry(4));
    await eventually(() => seen.length === 4);
    await eventually(async () => (await cursor()) === 4);
    await stop();
    const stopSecond = consume((data) => void seen.push(data));
    await write(entry(5));
    await eventually(() => seen.length === 5);
    await stopSecond();
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('is read by a consumer only if it announces more than the consumer has', async () => {
    const requestedPositions: number[] = [];
    const seen: unknown[] = [];
    const counting: typeof owner.readEvents = (request, options) => {
      requestedPositions.push(request.after);
      return owner.readEvents(request, options);
    };
    consume((data) => void seen.push(data), { owner: { readEvents: counting } });
    await write(entry(1));
    await eventually(async () => (await cursor()) === 1);
    // The reader may still send one more query.
    await eventually(async () => (await chat('event_cursors').first('holder'))?.holder === null);
    requestedPositions.length = 0;
    // Simulates a writer that died before it could publish this.
    await inTransaction(identity, (trx) => appendEvents(trx, entry(2)));
    bus.publish('wake.events.identity', { position: 1 });
    bus.publish('wake.events.identity', { position: 2 });
    await eventually(() => seen.length === 2);
    expect(requestedPositions[0]).toBe(1);
    expect(requestedPositions.length).toBeLessThanOrEqual(2);
  });

  it('is not read to find what a dead replica had quarantined', async () => {
    const requestedPositions: number[] = [];
    const seen: unknown[] = [];
    const counting: typeof owner.readEvents = (request, options) => {
      requestedPositions.push(request.after);
      return owner.readEvents(request, options);
    };
    consume((data) => void seen.push(data), { owner: { readEvents: counting }, pollMs: 200 });
    await write(entry(1));
    await eventually(async () => (await cursor()) === 1);
    // Notifications of earlier entries may still be in transit, and each triggers a query.
    await eventually(async () => {
      bus.publish('wake.events.identity', { position: 1 });
      await bus.flush();
      requestedPositions.length = 0;
      const setAside = seen.length + 1;
      const left = { source: 'identity', id: newId(), position: 1, subject, key: 'another', payload: '2' };
      await chat('parked_events').insert({ ...left, created_at: new Date(), next_try_at: new Date() });
      await eventually(() => seen.length === setAside);
      await eventually(async () => (await chat('event_cursors').first('holder'))?.holder === null);
      return requestedPositions.length === 0;
    });
    expect(new Set(seen)).toEqual(new Set([1, 2]));
  });

  it('omits nothing that is committed late', async () => {
    const seen: unknown[] = [];
    consume((data) => void seen.push(data), { pollMs: 100 });
    const openTransaction = await identity.transaction();
    // Inserted first, but committed last.
    await appendEvents(openTransaction, entry('late', 'another'));
    for (let n = 1; n <= 3; n += 1) {
      await write(entry(n));
      await eventually(() => seen.length === n);
    }
    await eventually(async () => (await cursor()) === 3);
    await openTransaction.commit();
    events.wake();
    await eventually(() => seen.length === 4);
    expect(seen).toEqual([1, 2, 3, 'late']);
  });

  it('gives each event one position, however many replicas assign positions', async () => {
    const others = [1, 2, 3].map(() =>
      createEventLog({ db: identity, source: 'identity', bus, log, keptDays: 30, pollMs: 10 }),
    );
    for (const one of others) one.start();
    await Promise.all(Array.from({ length: 20 }, (_, n) => write(entry(n, `key ${n}`), entry(n, `key ${n}`))));
    await eventually(async () => (await identity('events').whereNull('position').first('id')) === undefined);
    await Promise.all(others.map((one) => one.stop()));
    const rows = (await identity('events').orderBy('position').select('position', 'written', 'key')) as {
      position: number;
      written: number;
      key: string;
    }[];
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const [, ofKey] of Map.groupBy(rows, ({ key }) => key)) {
      expect(ofKey.map(({ written }) => written)).toEqual(ofKey.map(({ written }) => written).sort((a, b) => a - b));
    }
  });

  it('keeps events for its retention period, and reports where they start', async () => {
    await write(entry(1), entry(2));
    await write(entry(3));
    await eventually(async () => (await identity('events').whereNull('position').first('id')) === undefined);
    await identity('events')
      .where('position', '<', 3)
      .update({ created_at: new Date(Date.now() - 31 * 86_400_000) });
    const sweeping = createEventLog({ db: identity, source: 'identity', bus, log, keptDays: 30 });
    sweeping.start();
    await eventually(async () => (await identity('events').select('id')).length === 1);
    await sweeping.stop();
    const reply = await owner.readEvents({ after: 0, subjects: [subject], limit: 10 });
    expect(reply).toMatchObject({ events: [{ position: 3, payload: '3' }], position: 3, sweptPosition: 2 });
  });

  it('answers in pages without omissions, and rejects an event that is too large', async () => {
    const large = { words: 'x'.repeat(250_000) };
    for (let n = 0; n < 12; n += 1) await write(entry(large));
    const positions: number[] = [];
    let after = 0;
    for (let read = 0; read < 5; read += 1) {
      const reply = await owner.readEvents({ after, subjects: [subject], limit: 100 });
      positions.push(...reply.events.map(({ position }) => position));
      after = reply.position;
    }
    expect(positions).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    const refused = { kind: 'too_large', code: 'event_too_large' };
    await expect(write(entry('x'.repeat(maxEventBytes)))).rejects.toMatchObject(refused);
  });
});

describe('a consumer', () => {
  it('quarantines a failure and later events of its key, continues with others, and retries', async () => {
    const seen: unknown[] = [];
    const tries: number[] = [];
    let isBroken = true;
    consume((data, { attempt }) => {
      if (data === 'bad') tries.push(attempt);
      if (data === 'bad' && isBroken) throw new Error('not like this');
      seen.push(data);
    });
    await write(entry('bad', 'a'), entry('after it', 'a'), entry('other', 'b'));
    await write(entry('last', 'a'), entry('more', 'b'));
    await eventually(() => seen.length === 2);
    await eventually(async () => (await cursor()) === 5);
    expect(seen).toEqual(['other', 'more']);
    await eventually(() => tries.length >= 2);
    const [bad, ...behind] = await parked();
    expect(bad).toMatchObject({ payload: 'bad', error: 'not like this' });
    expect(behind).toMatchObject([
      { payload: 'after it', error: null, attempts: 0, next_try_at: null },
      { payload: 'last', error: null, attempts: 0, next_try_at: null },
    ]);
    isBroken = false;
    // Simulates an operator's action once the cause is fixed.
    await chat.raw('update parked_events set next_try_at = now() where next_try_at is not null');
    bus.publish('wake.events.identity', {});
    await eventually(() => seen.length === 5);
    expect(seen.slice(2)).toEqual(['bad', 'after it', 'last']);
    expect(tries.slice(0, 2)).toEqual([1, 2]);
    await eventually(async () => (await parked()).length === 0);
  });

  it('lets others pass a slow event, and keeps the order of its key', async () => {
    const seen: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    consume(
      async (data) => {
        if (data === 'slow') await promise;
        seen.push(data);
      },
      { slowMs: 200 },
    );
    await write(entry('slow', 'a'), entry('second', 'a'), entry('other', 'b'));
    await eventually(() => seen.length === 1);
    await write(entry('third', 'a'), entry('later', 'b'));
    await eventually(() => seen.length === 2);
    expect(seen).toEqual(['other', 'later']);
    await eventually(async () => (await cursor()) === 5);
    resolve();
    await eventually(() => seen.length === 5);
    expect(seen.slice(2)).toEqual(['slow', 'second', 'third']);
    await eventually(async () => (await parked()).length === 0);
  });

  it('runs on one replica at a time, and continues where a dead one stopped', async () => {
    const seen: unknown[] = [];
    for (let n = 0; n < 3; n += 1) consume((data) => void seen.push(data));
    for (let n = 1; n <= 30; n += 1) await write(entry(n));
    await eventually(async () => (await cursor()) === 30);
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    await Promise.all(stops.splice(0).map((stop) => stop()));

    // Simulates a replica that holds the cursor and stops responding.
    await chat('event_cursors').update({ holder: newId(), held_until: new Date(Date.now() + 1_500) });
    consume((data) => void seen.push(data));
    await write(entry(31));
    expect(seen).toHaveLength(30);
    await eventually(() => seen.length === 31);
  });

  it('starts over if the log was restored to an earlier state', async () => {
    const seen: unknown[] = [];
    await chat('event_cursors').insert({ source: 'identity', position: 1_000 });
    await write(entry('after the restore'));
    consume((data) => void seen.push(data));
    await eventually(() => seen.length === 1);
    await eventually(async () => (await cursor()) === 1);
  });

  it('waits while the owner is down, and drops nothing that it cannot understand', async () => {
    const seen: unknown[] = [];
    const away = clientOf(1);
    const stop = consumeEvents({
      db: chat,
      bus,
      log,
      source: 'identity',
      owner: away,
      handlers: { [subject]: async ({ data }) => void seen.push(data) },
    });
    await write(entry('kept'));
    await stop();
    away.close();
    expect(await cursor()).toBe(0);
    consume((data) => {
      if (data !== 'kept') throw new Error('The event is malformed.');
      seen.push(data);
    });
    await eventually(() => seen.length === 1);
    await write(entry('nonsense', 'x'));
    await eventually(async () => (await parked()).length === 1);
  });

  it('reports how far behind it is, and what was quarantined', async () => {
    const metrics = createRegistry('chat');
    const { promise, resolve } = Promise.withResolvers<void>();
    stops.push(
      consumeEvents({
        db: chat,
        bus,
        log,
        metrics,
        source: 'identity',
        owner,
        handlers: {
          [subject]: async ({ data }) => {
            if (data === 'bad') throw new Error('no');
            await promise;
          },
        },
      }),
    );
    await write(entry('bad', 'a'));
    await eventually(async () => (await parked()).length === 1);
    const since = performance.now();
    await write(entry('waits', 'b'));
    await eventually(async () => (await owner.readEvents({ after: 1, subjects: [subject], limit: 1 })).events.length);
    const text = await metrics.metrics();
    resolve();
    expect(text).toMatch(/^nolo_event_lag_positions\{source="identity".*\} 1$/m);
    const lag = Number(/^nolo_event_lag_seconds\{source="identity".*\} (\S+)/m.exec(text)?.[1]);
    expect(lag).toBeGreaterThan(0);
    expect(lag).toBeLessThanOrEqual((performance.now() - since) / 1_000);
    expect(text).toMatch(/^nolo_events_parked\{source="identity",state="failed".*\} 1$/m);
    expect(text).toMatch(
      /^nolo_events_handled_total\{source="identity",subject="event.identity.changed",result="failed".*\} \d/m,
    );
  });
});
