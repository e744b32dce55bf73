import { commonConfig, eventLogConfig, loadConfig, type Secret } from '@nolo/kit/config';
import { migrate, type Knex } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { createService, type ServiceContext } from '@nolo/kit/service';
import { sampleOnScrape, Gauge } from '@nolo/kit/telemetry';
import { createTestEnvironment, eventually, openDatabase, type TestEnvironment } from '@nolo/testing';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startCuttableProxy, type CuttableProxy } from './cuttableProxy.ts';

/** Checks that Prometheus scrapes cost Postgres one connection per process, and block nobody. */

const log = createLog({ service: 'test', level: 'silent' });
const schema = z.object({ ...commonConfig, ...eventLogConfig });
const gauges = Array.from({ length: 8 }, (_, number) => `test_gauge_${number}`);

let environment: TestEnvironment<'chat'>;
let admin: Knex;
let proxy: CuttableProxy;

beforeAll(async () => {
  environment = await createTestEnvironment(['chat']);
  const migrations = new URL('../../../services/chat/migrations', import.meta.url);
  await migrate(environment.urls.chat, 'chat', fileURLToPath(migrations));
  admin = openDatabase(environment.urls.chat, 'chat', 1);
  proxy = await startCuttableProxy(environment.urls.chat);
});
afterAll(async () => {
  await proxy.close();
  await admin.destroy();
  await environment.drop();
});

/** Number of gauge queries to the database. */
let databaseCalls = 0;

/** Starts a service with an outbox, an event log, and slow gauges of its own. */
function start() {
  const config = loadConfig(schema, {
    ...environment.variablesFor('chat'),
    DATABASE_URL: proxy.url,
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: 'the-secret-of-these-tests',
    METRICS_LISTEN: '127.0.0.1:0',
  });
  return createService('chat', { config, log }, (context: ServiceContext<typeof config & { DATABASE_URL: Secret }>) => {
    context.relayOutbox(() => Promise.resolve());
    for (const name of gauges) {
      const sample = sampleOnScrape(async () => {
        databaseCalls += 1;
        const { rows } = (await context.scrapeDb.raw('select 7 as seven, pg_sleep(0.02)')) as {
          rows: { seven: number }[];
        };
        return rows[0]?.seven;
      });
      new Gauge({
        name,
        help: 'A figure from the database.',
        registers: [context.metrics],
        async collect() {
          this.set((await sample()) ?? -1);
        },
      });
    }
    return {};
  });
}

async function connections(): Promise<Record<string, number>> {
  const { rows } = (await admin.raw(
    `select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() group by 1`,
  )) as { rows: { name: string; count: number }[] };
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('a process opens one connection for all its gauges and asks each once, however many scrape it', async () => {
  const app = start();
  const { metrics } = await app.start();
  try {
    const scrape = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    await Promise.all(Array.from({ length: 20 }, scrape));
    expect(databaseCalls).toBe(gauges.length);
    // The first scrapes may end before the last gauge has an answer on a busy machine.
    await eventually(async () => {
      const texts = await Promise.all(Array.from({ length: 20 }, scrape));
      const during = await connections();
      expect(during).toEqual({ chat: expect.any(Number) as number, 'chat metrics': 1 });
      // Connections of the relay and the event log; scrapes do not use them.
      expect(during['chat']).toBeLessThanOrEqual(2);
      for (const text of texts) for (const name of gauges) expect(text).toContain(`${name}{service="chat"} 7`);
      return true;
    });
  } finally {
    await app.stop();
  }
});

test('a hanging Postgres blocks no scrape or probe, the process stays ready, and the metrics come back', async () => {
  const app = start();
  const { metrics } = await app.start();
  const get = async (path: string) => {
    const since = performance.now();
    const response = await fetch(`http://127.0.0.1:${metrics}${path}`);
    return { status: response.status, text: await response.text(), ms: performance.now() - since };
  };
  const up = (text: string) => /nolo_dependency_up\{dependency="postgres",service="chat"\} (\d)/.exec(text)?.[1];
  try {
    expect((await get('/readyz')).status).toBe(200);
    expect(up((await get('/metrics')).text)).toBe('1');
    proxy.freeze();
    // The first scrape waits for a moment, the later ones do not.
    await eventually(async () => {
      const [scraped, ready] = await Promise.all([get('/metrics'), get('/readyz')]);
      expect([scraped.status, ready.status]).toEqual([200, 200]);
      expect(Math.max(scraped.ms, ready.ms)).toBeLessThan(3_000);
      return up(scraped.text) === '0';
    });
    const { text } = await get('/metrics');
    // The last answer remains valid for a while.
    for (const name of gauges) expect(text).toContain(`${name}{service="chat"} 7`);
    await proxy.mend();
    await eventually(async () => up((await get('/metrics')).text) === '1');
  } finally {
    await proxy.mend();
    await app.stop();
  }
  expect((await get('/readyz').catch(() => 'closed')) === 'closed').toBe(true);
}, 120_000);
