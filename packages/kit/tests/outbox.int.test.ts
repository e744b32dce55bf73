import { setTimeout as sleep } from 'node:timers/promises';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { createAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { enqueue, maxOutboxBytes, type OutboxRow } from '@nolo/kit/outbox';
import { createRelay, type Relay } from '../src/events/outboxRelay.ts';
import { createTestDatabase, eventually, type TestDatabase } from '@nolo/testing';
import { down, up } from './migrations/0001Outbox.ts';

const log = createLog({ service: 'test', level: 'silent' });
let database: TestDatabase<'chat'>;
let db: Knex;
const relays: Relay[] = [];

/** Starts a relay that polls as often when idle as otherwise, unless `quietPollMs` is given. */
function relay(dispatch: (rows: OutboxRow[]) => Promise<void>, pollMs = 60_000, quietPollMs = pollMs): Relay {
  const made = createRelay({ db, dispatch, log, pollMs, quietPollMs });
  relays.push(made);
  made.start();
  return made;
}

/** Holds a snapshot as a backup does, until the end of the test. */
async function holdSnapshot(): Promise<AsyncDisposable> {
  const holder = await db.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  await holder('outbox').count();
  return { [Symbol.asyncDispose]: async () => void (await holder.rollback()) };
}

const away = () => createAppError('unavailable', 'bus_unavailable', 'The bus is away.');

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
  await db('outbox_parked').delete();
});
afterAll(async () => {
  await down(db);
  await db.destroy();
  await database.drop();
});

describe('the outbox', () => {
  it('relays at once what a wake-up announces, in order, and deletes it', async () => {
    const seen: unknown[] = [];
    const made = relay(async (rows) => void seen.push(...rows.map((row) => row.payload)));
    await put(1, 2, 3);
    await put(4);
    made.wake();
    await eventually(() => seen.length === 4);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await eventually(async () => (await waiting()) === 0);
  });

  it('finds rows that nobody announced', async () => {
    const seen: OutboxRow[] = [];
    await put(1);
    relay(async (rows) => void seen.push(...rows), 50);
    await eventually(() => seen.length === 1);
    await put(2);
    await eventually(() => seen.length === 2);
    expect(seen[0]).toMatchObject({ subject: 'deliver', createdAt: expect.any(Date) });
  });

  it('relays nothing from a transaction that was rolled back', async () => {
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

  it('keeps everything while it cannot be relayed', async () => {
    let down = true;
    let failures = 0;
    const seen: unknown[] = [];
    const made = relay(async (rows) => {
      if (down) {
        failures += 1;
        throw away();
      }
      seen.push(...rows.map((row) => row.payload));
    });
    await put(1, 2);
    made.wake();
    // Waits for an attempt, because the rows would also be there before the first one.
    await eventually(() => failures > 0);
    expect(await waiting()).toBe(2);
    down = false;
    await eventually(() => seen.length === 2);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('parks a row that cannot be relayed on its own, and relays all the others', async () => {
    const seen: unknown[] = [];
    const made = relay(async (rows) => {
      if (rows.some((row) => (row.payload as { n: number }).n === 2))
        throw createAppError('too_large', 'message_too_large', 'No.');
      seen.push(...rows.map((row) => row.payload));
    });
    await put(1, 2, 3);
    made.wake();
    await eventually(() => seen.length === 2);
    expect(seen).toEqual([{ n: 1 }, { n: 3 }]);
    await eventually(async () => (await waiting()) === 0);
    expect(await db('outbox_parked').select('payload', 'error', 'attempts')).toEqual([
      { payload: { n: 2 }, error: 'No.', attempts: 1 },
    ]);
  });

  it('retries a row that failed for a transient reason', async () => {
    let failures = 0;
    const seen: unknown[] = [];
    const made = relay(async (rows) => {
      const isSecond = rows.some((row) => (row.payload as { n: number }).n === 2);
      if (isSecond && (failures += 1) < 3) throw new Error('not yet');
      seen.push(...rows.map((row) => row.payload));
    }, 100);
    await put(1, 2, 3);
    made.wake();
    await eventually(() => seen.length === 3);
    expect(seen).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }]);
    expect(await db('outbox_parked').select()).toEqual([]);
  });

  it('keeps a row until its time has come', async () => {
    const seen: unknown[] = [];
    const made = relay(async (rows) => void seen.push(...rows.map((row) => row.payload)), 50);
    const later = { subject: 'deliver', payload: { n: 1 }, notBefore: new Date(Date.now() + 3_600_000) };
    await inTransaction(db, (trx) => enqueue(trx, later, { subject: 'deliver', payload: { n: 2 } }));
    made.wake();
    await eventually(() => seen.length === 1);
    expect([seen, await waiting()]).toEqual([[{ n: 2 }], 1]);
    await db('outbox').update({ not_before: new Date(Date.now() - 1000) });
    await eventually(() => seen.length === 2);
  });

  it('rejects a row that could never be relayed', async () => {
    const large = { subject: 'deliver', payload: { words: 'x'.repeat(maxOutboxBytes) } };
    const refused = { kind: 'too_large', code: 'outbox_row_too_large' };
    await expect(inTransaction(db, (trx) => enqueue(trx, large))).rejects.toMatchObject(refused);
    const row = { id: newId(), subject: 'deliver', payload: JSON.stringify(large.payload) };
    await expect(db('outbox').insert(row)).rejects.toThrow('outbox_size');
    expect(await waiting()).toBe(0);
  });

  it('finds a row that was committed late, with an older id than those already relayed', async () => {
    const seen: unknown[] = [];
    const made = relay(async (rows) => void seen.push(...rows.map((row) => row.payload)), 50);
    await put(1);
    made.wake();
    await eventually(() => seen.length === 1);
    const id = '01990000-0000-7000-8000-000000000001';
    await db('outbox').insert({ id, subject: 'deliver', payload: JSON.stringify({ n: 2 }) });
    await eventually(() => seen.length === 2);
  });

  it('polls rarely when idle, and checks every row at once when woken', async () => {
    let polls = 0;
    const count = ({ sql }: { sql: string }) => void (polls += Number(sql.includes('from outbox')));
    db.on('query', count);
    await using _counting = { [Symbol.asyncDispose]: async () => void db.removeListener('query', count) };
    const seen: unknown[] = [];
    const made = relay(async (rows) => void seen.push(...rows.map((row) => row.payload)), 20, 3_600_000);
    await put(1);
    await eventually(() => seen.length === 1);
    const atRest = async () => {
      const before = polls;
      // Sleeps: many times the pause of a relay that is not idle.
      await sleep(400);
      return polls === before;
    };
    await eventually(atRest);
    const old = '01990000-0000-7000-8000-000000000001';
    await db('outbox').insert({ id: old, subject: 'deliver', payload: JSON.stringify({ n: 2 }) });
    await put(3);
    made.wake();
    await eventually(() => seen.length === 3);
  });

  it('does not scan deleted rows while a snapshot is open', async () => {
    const gone = 3_000;
    const figures = async () => {
      const { rows } = (await db.raw(`select n_tup_del::int as deleted, idx_tup_read::int as read
        from pg_stat_user_tables t join pg_stat_user_indexes i on i.relid = t.relid
        where i.indexrelname = 'outbox_pkey' and t.schemaname = 'chat'`)) as {
        rows: [{ deleted: number; read: number }];
      };
      return rows[0];
    };
    const deletedSince = (from: number, count: number) =>
      eventually(async () => (await figures()).deleted >= from + count);
    await using _snapshot = await holdSnapshot();
    const before = await figures();
    await db.raw(
      `insert into outbox (id, subject, payload)
      select ('01990000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'deliver', '{"n": 0}'
      from generate_series(1, ?) as n`,
      [gone],
    );
    let count = 0;
    const made = relay(async (rows) => void (count += rows.length));
    await eventually(() => count === gone);
    // First row that this relay finds at its present position.
    await put(0);
    made.wake();
    await eventually(() => count === gone + 1);
    await deletedSince(before.deleted, gone + 1);
    const middle = await figures();
    for (let n = 1; n <= 20; n += 1) {
      await put(n);
      made.wake();
      await eventually(() => count === gone + 1 + n);
    }
    await deletedSince(middle.deleted, 20);
    // Reading all of them with each of the 20 polls would exceed this. The poll for older rows reads them now and then.
    expect((await figures()).read - middle.read).toBeLessThan(5 * gone);
  });

  it('is relayed in the order of its ids, however the rows lie in the table', async () => {
    const seen: unknown[] = [];
    const ids = [3, 1, 2].map((n) => `01990000-0000-7000-8000-00000000000${n}`);
    await db('outbox').insert(ids.map((id) => ({ id, subject: 'deliver', payload: JSON.stringify({ id }) })));
    relay(async (rows) => void seen.push(...rows.map((row) => row.id)));
    await eventually(() => seen.length === 3);
    expect(seen).toEqual([...ids].sort());
  });

  it('is relayed once, however many relays run', async () => {
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
