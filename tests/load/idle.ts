/** What a whole stack costs while nobody is there: CPU of every process, and transactions of Postgres. */
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseServices, services } from '../../scripts/services.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { cpuMs, familyCpuMs, printTable, say } from './support/measure.ts';

const minutes = Number(process.argv[2] ?? 3);
const gateways = 1;
/** What a start leaves to do is done by then. */
const settleMs = 30_000;
const ofPostgres = new Set(databaseServices);

interface Figures {
  at: number;
  transactions: number;
  cpu: Record<string, number>;
  statements: Record<string, number>;
}

/** Statements that a service sent so far, `begin` and `commit` among them. */
async function statementsOf(stack: LoadStack, service: string): Promise<number> {
  const response = await fetch(stack.stack.metricsUrls[service] ?? '', { signal: AbortSignal.timeout(10_000) });
  return Number(/^nolo_db_query_seconds_count\S* (\d+)/m.exec(await response.text())?.[1] ?? 0);
}

async function look(stack: LoadStack): Promise<Figures> {
  const { postgres, redis, nats } = stack.backing;
  const statements: Record<string, number> = {};
  // Of those that this instance runs: a service may be left out.
  const running = services.map(({ name }) => name).filter((name) => stack.stack.metricsUrls[name] !== undefined);
  for (const name of running) if (ofPostgres.has(name)) statements[name] = await statementsOf(stack, name);
  const { rows } = (await stack
    .database('chat')
    .raw(
      `select sum(xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = current_database()`,
    )) as { rows: [{ transactions: number }] };
  return {
    at: performance.now(),
    transactions: rows[0].transactions,
    cpu: {
      ...Object.fromEntries(running.map((name) => [name, familyCpuMs(stack.pid(name))])),
      postgres: familyCpuMs(postgres.pid() ?? 0),
      redis: cpuMs(redis.pid() ?? 0),
      nats: cpuMs(nats.pid() ?? 0),
    },
    statements,
  };
}

async function measure(stack: LoadStack): Promise<void> {
  await sleep(settleMs);
  const before = await look(stack);
  await sleep(minutes * 60_000);
  const after = await look(stack);

  const seconds = (after.at - before.at) / 1_000;
  const perSecond = (now: number | undefined, then: number | undefined) => ((now ?? 0) - (then ?? 0)) / seconds;
  const rows = Object.keys(after.cpu).map((name) => [
    name,
    perSecond(after.cpu[name], before.cpu[name]) / 10,
    ofPostgres.has(name) ? perSecond(after.statements[name], before.statements[name]) : '',
  ]);
  printTable(['process', '% of a core', 'statements/s'], rows);
  const all = rows.reduce((sum, [, share]) => sum + Number(share), 0);
  const transactions = perSecond(after.transactions, before.transactions);
  say(
    `All together ${all.toFixed(2)} % of a core and ${transactions.toFixed(2)} transactions/s, over ${seconds.toFixed(0)} s.`,
  );
}

await measureOnStack('An idle stack', measure, { gateways, media: true, env: { TRANSCRIBE_COMMAND: '/bin/true' } });
