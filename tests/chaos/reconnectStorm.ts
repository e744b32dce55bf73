/**
 * Disconnects everyone at once, repeatedly, while people talk. Checks that nothing is missed, and measures how long
 * everyone takes to catch up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulatedUsers } from '../support/clients/simulatedUsers.ts';
import { measureOnStack, type LoadStack } from '../load/support/loadStack.ts';
import { readCpuMs, readProcessTreeCpuMs, printTable, quantile, printLine } from '../load/support/measure.ts';

const size = Number(process.argv[2] ?? 1_000);
const rounds = Number(process.argv[3] ?? 3);
const rate = Number(process.argv[4] ?? 100);
const everyMs = 15_000;
const awayMs = 2_000;
/** Much later than any target: clients that are not back by then stay away. */
const longestMs = 60_000;

async function measure(stack: LoadStack): Promise<number> {
  const { urls } = stack.stack;
  const simulatedUsers = await startSimulatedUsers({
    size,
    address: (index) => (urls[index % urls.length] ?? '').replace('localhost', '127.0.0.1'),
    database: (service) => stack.database(service),
    rate,
    seed: 1,
  });
  await simulatedUsers.untilWhole(longestMs);
  simulatedUsers.talk();
  const services = ['gateway', 'gateway2', 'identity', 'chat'];
  const postgres = stack.backing.postgres.pid() ?? 0;
  const cpu = () => [...services.map((name) => readCpuMs(stack.pid(name))), readProcessTreeCpuMs(postgres)];
  const rows: (string | number)[][] = [];

  /** Disconnects each client at its own moment and reconnects it two seconds later. */
  const eachInItsTime = async () => {
    const began = performance.now();
    await Promise.all(
      simulatedUsers.clients.map(async (client, index) => {
        await sleep((index / size) * everyMs);
        client.cut();
        await sleep(awayMs);
        client.mend();
        client.retryNow();
      }),
    );
    await sleep(Math.max(0, everyMs - (performance.now() - began)));
  };
  /**
   * Disconnects all clients at the same moment. With `herd` all return at once, as nothing real does; otherwise as
   * clients do.
   */
  const allAtOnce = async (herd: boolean) => {
    for (const client of simulatedUsers.clients) client.cut();
    await sleep(awayMs);
    for (const client of simulatedUsers.clients) {
      client.mend();
      if (herd) client.retryNow();
    }
  };
  const storms: Record<string, () => Promise<void>> = {
    'each in its own time': eachInItsTime,
    'all cut at once, back as clients do': () => allAtOnce(false),
    'all cut at once, all back at once': () => allAtOnce(true),
  };

  for (const [name, storm] of Object.entries(storms)) {
    const whole: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const next = sleep(everyMs);
      const cpuBefore = cpu();
      await storm();
      await simulatedUsers.untilWhole(longestMs);
      const returns = simulatedUsers.takeReturns();
      const replays = returns.map(({ wholeMs }) => wholeMs);
      whole.push(...replays);
      rows.push([
        `${name}, ${round}`,
        `${returns.length}`,
        returns.reduce((sum, { missed }) => sum + missed, 0),
        quantile(
          returns.map(({ helloMs }) => helloMs),
          0.99,
        ),
        ...[0.5, 0.95, 0.99].map((share) => quantile(replays, share)),
        Math.max(...replays),
        quantile(
          returns.map(({ recoveredMs }) => recoveredMs),
          0.99,
        ),
        cpu()
          .map((now, index) => ((now - (cpuBefore[index] ?? 0)) / size).toFixed(1))
          .join(' + '),
      ]);
      await next;
    }
    rows.push([
      `${name}: all`,
      `${whole.length}`,
      '',
      '',
      ...[0.5, 0.95, 0.99, 1].map((share) => quantile(whole, share)),
      '',
      '',
    ]);
  }
  const result = await simulatedUsers.compare();
  simulatedUsers.stop();
  printTable(
    [
      'storm',
      'returns',
      'missed meanwhile',
      'hello p99 ms',
      'replay p50 ms',
      'p95',
      'p99',
      'max',
      'caught up after the cut, p99',
      'CPU ms per client of both gateways, identity, chat, Postgres',
    ],
    rows,
  );
  printLine(
    `${size} clients on ${urls.length} gateways, cut off every ${everyMs / 1000} s for ${awayMs / 1000} s, ${rate} messages a second: ${result.acknowledged} acknowledged, ${result.stored} stored, ${result.seen} seen (each by two), ${result.redelivered} frames redelivered, ${result.refusals} sends repeated.`,
  );
  printLine('Replay is the time from the successful attempt to the last missed message.');
  for (const violation of result.violations) printLine(`VIOLATION: ${violation}`);
  printLine(`${result.violations.length} violations.`);
  return result.violations.length === 0 ? 0 : 1;
}

await measureOnStack('Reconnect storm', measure, { gateways: 2 });
