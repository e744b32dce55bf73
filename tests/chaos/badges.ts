/** Checks the unread counts of three devices of one account while services, stores and connections fail. */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { describeConditions, quantile, printLine } from '../load/support/measure.ts';
import { startFaultStack, type FaultStack } from '../support/stacks/faultStack.ts';
import { runBadgeChaos } from './support/badgeChaos.ts';

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);

const interruption = listenForInterruption();
interruption.handled = true;
const stopping = new AbortController();
let stack: FaultStack | undefined;

async function run(): Promise<number> {
  stack = await startFaultStack({ hasProxies: true, pair: () => [{}, {}] });
  printLine(`${rounds} rounds, seed ${seed}\n${describeConditions()}`);
  const report = await runBadgeChaos(stack, { rounds, seed, printLine, signal: stopping.signal });
  const times = (what: string, all: readonly number[]) =>
    printLine(
      `${what}: p50 ${quantile(all, 0.5).toFixed(0)} ms, p95 ${quantile(all, 0.95).toFixed(0)} ms, max ${Math.max(...all).toFixed(0)} ms (${all.length} times)`,
    );
  printLine(`${report.rounds} storms, ${report.messages} messages, ${report.reads} conversations read`);
  printLine(
    Object.entries(report.faults)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  times('all badges right after an event in calm', report.calmMs);
  times('all badges right after a device returned from a storm it spent offline', report.backMs);
  times('all badges right after the last fault', report.healedMs);
  for (const violation of report.violations.slice(0, 50)) printLine(`VIOLATION: ${violation}`);
  printLine(`${report.violations.length} violations.\n${describeConditions()}`);
  return report.violations.length === 0 ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  stopping.abort();
  await stack?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
