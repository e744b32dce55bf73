/**
 * Restarts the gateways one after another under many clients. Checks what is lost, how long clients are away and
 * whether any stay away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBalancer } from '../support/stacks/balancer.ts';
import { startSimulatedUsers } from '../support/clients/simulatedUsers.ts';
import { measureOnStack, type LoadStack } from '../load/support/loadStack.ts';
import { printTable, quantile, printLine } from '../load/support/measure.ts';

const size = Number(process.argv[2] ?? 1_000);
const rounds = Number(process.argv[3] ?? 2);
const rate = Number(process.argv[4] ?? 100);
const longestMs = 60_000;
/** Pause between two replicas, as a rollout waits until the new one is ready. */
const pauseMs = 3_000;

async function measure(stack: LoadStack): Promise<number> {
  const { urls } = stack.stack;
  const balancer = await startBalancer(urls);
  const simulatedUsers = await startSimulatedUsers({
    size,
    address: () => balancer.url,
    database: (service) => stack.database(service),
    rate,
    seed: 1,
  });
  await simulatedUsers.untilWhole(longestMs);
  simulatedUsers.talk();
  const rows: (string | number)[][] = [];
  const all: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of ['gateway', 'gateway2']) {
      await sleep(pauseMs);
      const began = performance.now();
      await stack.stack.service(name).restart();
      const restartMs = performance.now() - began;
      await simulatedUsers.untilWhole(longestMs);
      const returns = simulatedUsers.takeReturns();
      const away = returns.map(({ awayMs }) => awayMs);
      all.push(...away);
      rows.push([
        `${round} ${name}`,
        `${returns.length}`,
        `${returns.filter(({ code }) => code !== 4012).length}`,
        returns.reduce((sum, { missed }) => sum + missed, 0),
        quantile(away, 0.5),
        quantile(away, 0.95),
        Math.max(...away),
        quantile(
          returns.map(({ recoveredMs }) => recoveredMs),
          0.95,
        ),
        restartMs,
      ]);
    }
  }
  const result = await simulatedUsers.compare();
  simulatedUsers.stop();
  await balancer.stop();
  printTable(
    [
      'restart of',
      'sent on',
      'without the draining code',
      'missed meanwhile',
      'back p50 ms',
      'p95',
      'max',
      'whole again p95',
      'restart duration, ms',
    ],
    rows,
  );
  printLine(
    `${size} clients on ${urls.length} gateways behind a balancer, ${rate} messages a second: back after p50 ${quantile(all, 0.5).toFixed(0)} ms, p95 ${quantile(all, 0.95).toFixed(0)} ms; ${result.acknowledged} acknowledged, ${result.stored} stored, ${result.seen} seen (each by two), ${result.redelivered} frames redelivered, ${result.refusals} sends repeated.`,
  );
  printLine('Back is the time from closing the old socket to hello on the new one.');
  for (const violation of result.violations) printLine(`VIOLATION: ${violation}`);
  printLine(`${result.violations.length} violations; every client came back.`);
  return result.violations.length === 0 ? 0 : 1;
}

await measureOnStack('Rolling restart of the gateways', measure, { gateways: 2 });
