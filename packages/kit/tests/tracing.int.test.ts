import { connectBus, type Bus } from '@nolo/kit/bus';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents, consumeEvents, createEventLog } from '@nolo/kit/events';
import { createLog } from '@nolo/kit/log';
import { enqueue } from '@nolo/kit/outbox';
import { getCurrentSpan, startTrace, startTracing, withCurrentSpan } from '@nolo/kit/tracing';
import {
  createTestDatabase,
  eventually,
  readTestServerAddresses,
  createUniqueName,
  type TestDatabase,
} from '@nolo/testing';
import { startTraceReceiver, type TraceReceiver } from '../../../tests/support/stacks/traceReceiver.ts';
import { up } from './migrations/0001Outbox.ts';

const log = createLog({ service: 'test', level: 'silent' });
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
let receiver: TraceReceiver;
let stopTracing: () => Promise<void>;
let database: TestDatabase<'chat'>;
let db: Knex;
let bus: Bus;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  const config = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 };
  stopTracing = await startTracing({ service: 'test', config, log });
  database = await createTestDatabase(['chat']);
  // A single connection, so that the next request would find anything that a request leaves behind on it.
  db = createDb({ url: database.urls.chat, schema: 'chat', poolMax: 1 });
  await up(db);
  bus = await connectBus({ url: readTestServerAddresses().natsUrl, prefix: createUniqueName(), name: 'test', log });
});
afterAll(async () => {
  await bus?.close();
  await db?.destroy();
  await database?.drop();
  await stopTracing?.();
  await receiver?.stop();
});

/** Runs work within a sampled trace. */
async function inTrace<T>(work: () => Promise<T>, id = traceId): Promise<T> {
  const span = startTrace('request', { parent: `00-${id}-00f067aa0ba902b7-00` });
  try {
    return await withCurrentSpan(span, work);
  } finally {
    span?.end();
  }
}

const put = (n: number, kit: Knex = db) => enqueue(kit, { subject: 'deliver', payload: { n } });
const traceOf = async (n: number): Promise<string | null> => {
  const row = (await db('outbox')
    .whereRaw(`payload->>'n' = ?`, [String(n)])
    .first('traceparent')) as {
    traceparent: string | null;
  };
  return row.traceparent;
};

describe('an outbox row', () => {
  const other = 'a'.repeat(32);

  it('has the trace of the statement that wrote it', async () => {
    await put(1);
    await inTrace(() => put(2));
    await inTrace(() => put(3), other);
    await put(4);
    expect(await traceOf(1)).toBeNull();
    expect(await traceOf(2)).toContain(traceId);
    expect(await traceOf(3)).toContain(other);
    expect(await traceOf(4)).toBeNull();
  });

  it('has the trace of its transaction, whatever became of the one before', async () => {
    const failing = inTrace(() =>
      inTransaction(db, async (trx) => {
        await put(10, trx);
        throw new Error('on purpose');
      }),
    );
    await expect(failing).rejects.toThrow('on purpose');
    await inTransaction(db, (trx) => put(11, trx));
    await inTrace(() => inTransaction(db, (trx) => put(12, trx)), other);
    await put(13);
    await inTrace(async () => {
      await put(14);
      await inTransaction(db, (trx) => put(15, trx));
    });
    await put(16);
    expect(await traceOf(11)).toBeNull();
    expect(await traceOf(12)).toContain(other);
    expect(await traceOf(13)).toBeNull();
    expect(await traceOf(14)).toContain(traceId);
    expect(await traceOf(15)).toContain(traceId);
    expect(await traceOf(16)).toBeNull();
  });

  it('has the trace even if part of the transaction was rolled back', async () => {
    await inTrace(() =>
      inTransaction(db, async (trx) => {
        await trx.transaction((inner) => put(20, inner)).then(() => undefined);
        await trx
          .transaction(async (inner) => {
            await put(21, inner);
            throw new Error('on purpose');
          })
          .catch(() => undefined);
        await put(22, trx);
      }),
    );
    expect(await traceOf(20)).toContain(traceId);
    expect(await traceOf(22)).toContain(traceId);
  });
});

describe('a message', () => {
  it('carries the trace, live and as an event, and no trace if it has none', async () => {
    const seen: Record<string, string | undefined> = {};
    const recordTrace = (what: string) => void (seen[what] = getCurrentSpan()?.context.traceId ?? 'none');
    bus.subscribe('live.told', (data) => recordTrace(data as string));
    const events = createEventLog({ db, source: 'test', bus, log, keptDays: 1 });
    events.start();
    const stop = consumeEvents({
      db,
      bus,
      log,
      source: 'test',
      owner: events.handlers,
      handlers: { 'event.test.told': async ({ data }) => recordTrace(data as string) },
    });
    const appendTestEvent = (payload: string) =>
      appendEvents(db, { subject: 'event.test.told', key: payload, payload });
    await bus.flush();
    await inTrace(async () => {
      bus.publish('live.told', 'live');
      await appendTestEvent('event');
    });
    bus.publish('live.told', 'live alone');
    bus.publish('live.told', 'live later', `00-${'b'.repeat(32)}-00f067aa0ba902b7-01`);
    await appendTestEvent('event alone');
    events.wake();
    await eventually(() => Object.keys(seen).length === 5);
    await stop();
    await events.stop();
    expect(seen).toEqual({
      live: traceId,
      event: traceId,
      'live alone': 'none',
      'live later': 'b'.repeat(32),
      'event alone': 'none',
    });
  });
});
