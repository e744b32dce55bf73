/** Measures what a whole stack costs while nobody uses it: CPU of every process, and transactions of Postgres. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '@nolo/kit/db';
import { databaseServices, services } from '../../scripts/services.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, readProcessTreeCpuMs, printTable, readResidentBytes, printLine } from './support/measure.ts';

const minutes = Number(process.argv[2] ?? 3);
const gateways = 1;
/** Time after which the work of a start is done, and a media node is idle (after two minutes). */
const settleMs = 150_000;
const ofPostgres = new Set(databaseServices);

interface Figures {
  at: number;
  transactions: number;
  cpu: Record<string, number>;
  statements: Record<string, number>;
  /** Memory; of Postgres only the first process, because its connections share most of their memory. */
  megabytes: Record<string, number>;
}

/** Returns the number of statements that a service has sent, including `begin` and `commit`. */
async function statementsOf(stack: LoadStack, service: string): Promise<number> {
  const response = await fetch(stack.stack.metricsUrls[service] ?? '', { signal: AbortSignal.timeout(10_000) });
  return Number(/^nolo_db_query_seconds_count\S* (\d+)/m.exec(await response.text())?.[1] ?? 0);
}

/**
 * Takes one measurement. Statements are counted outside the measured time: reading a service's metrics costs it more
 * than idling.
 */
async function measureStack(stack: LoadStack, when: 'before' | 'after'): Promise<Figures> {
  // Covers the services of this instance: a service may be absent.
  const running = services.map(({ name }) => name).filter((name) => stack.stack.metricsUrls[name] !== undefined);
  const statements: Record<string, number> = {};
  const count = async () => {
    for (const name of running) if (ofPostgres.has(name)) statements[name] = await statementsOf(stack, name);
  };
  if (when === 'before') await count();
  const figures = await measureProcesses(stack, running);
  if (when === 'after') await count();
  return { ...figures, statements };
}

async function measureProcesses(stack: LoadStack, running: readonly string[]): Promise<Omit<Figures, 'statements'>> {
  const { postgres, redis, nats } = stack.backing;
  const { rows } = (await stack
    .database('chat')
    .raw(
      `select sum(xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = current_database()`,
    )) as { rows: [{ transactions: number }] };
  const ofServices = Object.fromEntries(running.map((name) => [name, stack.pid(name)]));
  const stores = { postgres: postgres.pid() ?? 0, redis: redis.pid() ?? 0, nats: nats.pid() ?? 0 };
  const forEach = (pids: Record<string, number>, figure: (pid: number) => number) =>
    Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(pid)]));

  return {
    at: performance.now(),
    transactions: rows[0].transactions,
    cpu: {
      ...forEach(ofServices, readProcessTreeCpuMs),
      postgres: readProcessTreeCpuMs(stores.postgres),
      redis: readCpuMs(stores.redis),
      nats: readCpuMs(stores.nats),
    },
    megabytes: forEach({ ...ofServices, ...stores }, (pid) => readResidentBytes(pid) / 1_000_000),
  };
}

/**
 * Brings the database to the state of a long-running stack, with statistics and written pages; a new stack reaches it
 * minutes after its migrations.
 */
async function settleDatabase(stack: LoadStack): Promise<void> {
  const administrator = createDb({
    url: databaseOf(stack.backing.databaseUrl),
    schema: 'public',
    statementTimeoutMs: 120_000,
  });
  try {
    await administrator.raw('vacuum analyze');
    await administrator.raw('checkpoint');
  } finally {
    await administrator.destroy();
  }
}

/** Returns the administrator's address for the database of the services, which differs from its default database. */
function databaseOf(url: string): string {
  const address = new URL(url);
  address.pathname = '/nolo';
  return address.href;
}

async function measure(stack: LoadStack): Promise<void> {
  await settleDatabase(stack);
  await sleep(settleMs);
  const before = await measureStack(stack, 'before');
  await sleep(minutes * 60_000);
  const after = await measureStack(stack, 'after');

  const seconds = (after.at - before.at) / 1_000;
  const perSecond = (now: number | undefined, then: number | undefined) => ((now ?? 0) - (then ?? 0)) / seconds;
  const rows = Object.keys(after.cpu).map((name) => [
    name,
    perSecond(after.cpu[name], before.cpu[name]) / 10,
    ofPostgres.has(name) ? perSecond(after.statements[name], before.statements[name]) : '',
    after.megabytes[name] ?? '',
  ]);
  printTable(['process', '% of a core', 'statements/s', 'MB resident'], rows);
  const all = rows.reduce((sum, [, share]) => sum + Number(share), 0);
  const transactions = perSecond(after.transactions, before.transactions);
  printLine(
    `In total ${all.toFixed(2)} % of a core and ${transactions.toFixed(2)} transactions/s, over ${seconds.toFixed(0)} s.`,
  );
}

await measureOnStack('An idle stack', measure, {
  gateways,
  media: true,
  billing: true,
  webhooks: true,
  env: { TRANSCRIBE_COMMAND: '/bin/true' },
});
