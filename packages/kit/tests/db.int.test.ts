import { join } from 'node:path';
import { checkDb, createDb, inTransaction, migrate, provisionDatabase, type Knex } from '@nolo/kit/db';
import { createTestDatabase, eventually, readTestServerAddresses, type TestDatabase } from '@nolo/testing';
import { startCuttableProxy } from './cuttableProxy.ts';

const migrations = join(import.meta.dirname, 'migrations');
const open: Knex[] = [];
let database: TestDatabase<'chat' | 'identity'>;

function connect(url: string, schema: string, options: { statementTimeoutMs?: number; poolMax?: number } = {}): Knex {
  const db = createDb({ url, schema, ...options });
  open.push(db);
  return db;
}

beforeAll(async () => {
  database = await createTestDatabase(['chat', 'identity'], undefined, { mayDeadlock: true });
});
afterAll(async () => {
  await Promise.all(open.map((db) => db.destroy()));
  await database.drop();
});

describe('provisioning', () => {
  it('can be repeated, also concurrently', async () => {
    const { databaseUrl } = readTestServerAddresses();
    const provision = () => provisionDatabase(databaseUrl, database.name, ['chat', 'identity'], database.name);
    const results = await Promise.all([provision(), provision(), provision()]);
    for (const urls of results) expect(urls).toEqual(database.urls);
  });

  it('gives each service its own schema, and keeps it from the others', async () => {
    const chat = connect(database.urls.chat, 'chat');
    const identity = connect(database.urls.identity, 'identity');
    await identity.schema.createTable('phones', (table) => void table.text('number'));
    await expect(chat.raw('select * from identity.phones')).rejects.toThrow('permission denied for schema identity');
    await expect(chat.raw('create table public.mine (a int)')).rejects.toThrow('permission denied for schema public');
    await expect(chat.raw('create schema another')).rejects.toThrow('permission denied for database');
  });

  it('rejects names that PostgreSQL would have to quote or truncate', async () => {
    const { databaseUrl } = readTestServerAddresses();
    for (const name of ['No"lo', 'a'.repeat(64), '']) {
      await expect(provisionDatabase(databaseUrl, name, ['chat'], 'x')).rejects.toThrow('is not a valid database');
    }
  });
});

describe('migrate', () => {
  it('runs once, however many start it at once, and survives a killed migrator', async () => {
    const { chat } = database.urls;
    const results = await Promise.all([1, 2, 3].map(() => migrate(chat, 'chat', migrations)));
    expect(results.flat()).toEqual(['0001Outbox.ts']);
    // Simulates the lock that knex leaves when it is killed midway.
    await connect(chat, 'chat')('migrations_lock').update({ is_locked: 1 });
    expect(await migrate(chat, 'chat', migrations)).toEqual([]);
  });

  it('waits for a database that comes up later, as does provisioning', async () => {
    const { databaseUrl } = readTestServerAddresses();
    const proxies = await Promise.all([startCuttableProxy(database.urls.chat), startCuttableProxy(databaseUrl)]);
    const [chat, admin] = proxies;
    await Promise.all(proxies.map((proxy) => proxy.cut()));
    const migrating = migrate(chat.url, 'chat', migrations);
    const provisioning = provisionDatabase(admin.url, database.name, ['chat'], database.name, { timeoutMs: 60_000 });
    // Waits as long as a migration that gives up.
    await expect(migrate(chat.url, 'chat', migrations, { timeoutMs: 500 })).rejects.toThrow('ECONNREFUSED');
    await Promise.all(proxies.map((proxy) => proxy.mend()));
    expect(await migrating).toEqual([]);
    expect(await provisioning).toHaveProperty('chat');
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it('lets others pass while it waits for a table in use', async () => {
    const waiting = join(import.meta.dirname, 'waitingMigrations');
    const { identity } = database.urls;
    const db = connect(identity, 'identity');
    await db.raw('create table notes (id int primary key)');
    const reading = await db.transaction();
    await reading.raw('select * from notes');
    const migrating = migrate(identity, 'identity', waiting);
    await eventually(async () => {
      const { rows } = (await db.raw(`select 1 from pg_locks where relation = 'notes'::regclass and not granted`)) as {
        rows: unknown[];
      };
      return rows.length > 0;
    });
    // The read is behind it in the queue, while the first reader is still active.
    expect(await db('notes').select()).toEqual([]);
    await reading.rollback();
    // The second migration creates an index concurrently, which waits for every snapshot: its own migrator holds none.
    expect(await migrating).toEqual(['0001Words.ts', '0002Index.ts']);
    expect(await migrate(identity, 'identity', waiting)).toEqual([]);
  });

  it('does not wait if the database refuses', async () => {
    const wrong = new URL(database.urls.chat);
    wrong.password = 'wrong';
    // Longer than a test may take.
    const timeoutMs = 600_000;
    await expect(migrate(wrong.href, 'chat', migrations, { timeoutMs })).rejects.toMatchObject({ code: '28P01' });
  });
});

describe('queries', () => {
  it('return numbers for bigint', async () => {
    const db = connect(database.urls.chat, 'chat');
    await db('counters').insert({ name: 'seq', value: 4_294_967_296 });
    expect(await db('counters').first('value')).toEqual({ value: 4_294_967_296 });
  });

  it('are cancelled by the statement timeout, as unavailable', async () => {
    const db = connect(database.urls.chat, 'chat', { statementTimeoutMs: 200 });
    await expect(inTransaction(db, (trx) => trx.raw('select pg_sleep(5)'))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'storage_unavailable',
    });
  });

  it('are retried after a deadlock', async () => {
    const db = connect(database.urls.chat, 'chat');
    await db('counters').insert([
      { name: 'a', value: 0 },
      { name: 'b', value: 0 },
    ]);
    let arrived = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const add = (first: string, second: string) =>
      inTransaction(db, async (trx) => {
        await trx('counters').where({ name: first }).increment('value', 1);
        arrived += 1;
        if (arrived === 2) meet();
        await both;
        await trx('counters').where({ name: second }).increment('value', 1);
      });
    await Promise.all([add('a', 'b'), add('b', 'a')]);
    expect(await db('counters').whereIn('name', ['a', 'b']).pluck('value')).toEqual([2, 2]);
  });

  it('leave other errors unchanged', async () => {
    const db = connect(database.urls.chat, 'chat');
    const insert = () => inTransaction(db, (trx) => trx('counters').insert({ name: 'twice', value: 1 }));
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505' });
  });

  it('fail without quoting their content', async () => {
    const db = connect(database.urls.chat, 'chat');
    const error = await db('counters')
      .where({ name: '+27821234567' })
      .select('nothing')
      .catch((reason: unknown) => reason as Error);
    expect(String((error as Error).message)).toContain('column "nothing" does not exist');
    expect(String((error as Error).stack)).not.toContain('+27821234567');
  });
});

describe('an outage', () => {
  it('fails queries while the connection is cut, and ends when it is restored', async () => {
    const proxy = await startCuttableProxy(database.urls.chat);
    const db = connect(proxy.url, 'chat');
    const readCounter = () => inTransaction(db, (trx) => trx('counters').first('value'));
    await readCounter();
    await proxy.cut();
    await expect(readCounter()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'storage_unavailable',
      retryAfterMs: 1000,
    });
    await proxy.mend();
    await readCounter();
    await db.destroy();
    await proxy.close();
  });

  it('does not hang on a frozen server, and drops connections that never answered', async () => {
    const proxy = await startCuttableProxy(database.urls.chat);
    const db = connect(proxy.url, 'chat', { statementTimeoutMs: 500 });
    await db('counters').first();
    proxy.freeze();
    await expect(inTransaction(db, (trx) => trx('counters').first())).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await proxy.mend();
    await db('counters').first();
    // Cuts before closing, because a frozen server does not end connections either.
    await proxy.cut();
    await db.destroy();
  });
  it('is not reported while metrics keep the scrape connection busy', async () => {
    const proxy = await startCuttableProxy(database.urls.chat);
    const [db, scrapeDb] = [connect(proxy.url, 'chat'), connect(proxy.url, 'chat', { poolMax: 1 })];
    const figures = await scrapeDb.transaction();
    expect(await checkDb(scrapeDb, db)).toEqual({ ok: true });
    await proxy.cut();
    expect(await checkDb(scrapeDb, db)).toMatchObject({ ok: false });
    await figures.rollback().catch(() => undefined);
    await Promise.all([db.destroy(), scrapeDb.destroy()]);
    await proxy.close();
  });
});
