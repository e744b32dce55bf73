import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { createRelay, enqueue, type OutboxRow, type Relay } from '@nolo/kit/outbox';
import { createTestDatabase, eventually, type TestDatabase } from '@nolo/testing';
import { down, up } from './migrations/0001Outbox.ts';

const log = createLog({ service: 'test', level: 'silent' });
let database: TestDatabase<'chat'>;
let db: Knex;
const relays: Relay[] = [];

function relay(dispatch: (rows: OutboxRow[]) => Promise<void>, pollMs = 60_000): Relay {
  const made = createRelay({ db, dispatch, log, pollMs });
  relays.push(made);
  made.start();
  return made;
}

const put = (...numbers: number[]) =>
  inTransaction(db, (trx) => enqueue(trx, ...numbers.map((n) => ({ subject: 'deliver', payload: { n } }))));
const waiting = async () => Number((await db('outbox').count({ count: '*' }).first())?.['count']);

beforeAll(async () => {
  database = await createTestDatabase(['chat']);
  db = createDb({ url: database.urls.chat, schema: 'chat' });
  await up(db);
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((made) => made.stop()));
  await db('outbox').delete();
});
afterAll(async () => {
  await down(db);
  await db.destroy();
  await database.drop();
});

describe('the outbox', () => {
  it('passes on at once what a wake-up announces, in order, and forgets it', async () => {
    const seen: unknown[] = [];
    const made = relay(async (rows) => void seen.push(...rows.map((row) => row.payload)));
    await put(1, 2, 3);
    await put(4);
    made.wake();
    await eventually(() => seen.length === 4, { timeoutMs: 1000 });
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await eventually(async () => (await waiting()) === 0);
  });

  it('finds by itself what nobody announced', async () => {
    const seen: OutboxRow[] = [];
    await put(1);
    relay(async (rows) => void seen.push(...rows), 50);
    await eventually(() => seen.length === 1);
    await put(2);
    await eventually(() => seen.length === 2);
    expect(seen[0]).toMatchObject({ subject: 'deliver', durable: false, createdAt: expect.any(Date) });
  });

  it('says nothing of a transaction that did not hold', async () => {
    const seen: OutboxRow[] = [];
    const made = relay(async (rows) => void seen.push(...rows));
    const failed = inTransaction(db, async (trx) => {
      await enqueue(trx, { subject: 'deliver', payload: { n: 'never' } });
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await put(1);
    made.wake();
    await eventually(() => seen.length > 0);
    expect(seen.map((row) => row.payload)).toEqual([{ n: 1 }]);
  });

  it('keeps everything while it cannot be passed on', async () => {
    let down = true;
    let failures = 0;
    const seen: unknown[] = [];
    const made = relay(async (rows) => {
      if (down) {
        failures += 1;
        throw new Error('the bus is away');
      }
      seen.push(...rows.map((row) => row.payload));
    });
    await put(1, 2);
    made.wake();
    // They would also wait if nobody had tried yet.
    await eventually(() => failures > 0);
    expect(await waiting()).toBe(2);
    down = false;
    await eventually(() => seen.length === 2);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('does not hold back what is live behind events that cannot be stored, nor the other way round', async () => {
    const away = { live: false, durable: true };
    const seen: string[] = [];
    const made = relay(async (rows) => {
      if (rows.some(({ durable }) => (durable ? away.durable : away.live))) throw new Error('away');
      seen.push(...rows.map(({ subject }) => subject));
    }, 50);
    const say = async (...subjects: string[]) => {
      await inTransaction(db, (trx) =>
        enqueue(trx, ...subjects.map((subject) => ({ subject, payload: {}, durable: subject.startsWith('event') }))),
      );
      made.wake();
    };
    await say('event1', 'live1', 'event2', 'live2');
    await eventually(() => seen.length === 2, { timeoutMs: 2000 });
    expect(seen).toEqual(['live1', 'live2']);
    Object.assign(away, { live: true, durable: false });
    await say('live3', 'event3');
    await eventually(() => seen.length === 5);
    expect(seen.slice(2)).toEqual(['event1', 'event2', 'event3']);
    away.live = false;
    await eventually(() => seen.length === 6);
    await eventually(async () => (await waiting()) === 0);
  });

  it('goes out in the order of its ids, however the rows lie in the table', async () => {
    const seen: unknown[] = [];
    const ids = [3, 1, 2].map((n) => `01990000-0000-7000-8000-00000000000${n}`);
    await db('outbox').insert(ids.map((id) => ({ id, subject: 'deliver', payload: JSON.stringify({ id }) })));
    relay(async (rows) => void seen.push(...rows.map((row) => row.id)));
    await eventually(() => seen.length === 3);
    expect(seen).toEqual([...ids].sort());
  });

  it('is passed on once, whoever else is at it', async () => {
    const seen: number[] = [];
    const dispatch = async (rows: OutboxRow[]) =>
      void seen.push(...rows.map((row) => (row.payload as { n: number }).n));
    await put(...Array.from({ length: 450 }, (_, n) => n));
    relay(dispatch, 20);
    relay(dispatch, 20);
    await eventually(() => seen.length >= 450);
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 450 }, (_, n) => n));
  });

  it('finishes its batch before it stops', async () => {
    let finish = () => {};
    const entered = new Promise<void>((resolve) => {
      const made = relay(async () => {
        resolve();
        await new Promise<void>((done) => (finish = done));
      });
      void put(1).then(() => made.wake());
    });
    await entered;
    const stopped = Promise.all([relays[0]?.stop(), relays[0]?.stop()]);
    finish();
    await stopped;
    expect(await waiting()).toBe(0);
  });
});
