/**
 * Kills billing and its worker at random points. Checks that everyone who paid has their plan, once, and that usage is
 * counted once.
 */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { describeConditions, printLine } from '../load/support/measure.ts';
import { startBillingTestbed, type BillingTestbed } from '../support/stacks/billingTestbed.ts';
import { runPaymentChaos } from './support/paymentChaos.ts';

const kills = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const minutes = Number(process.argv[4] ?? 60);

const interruption = listenForInterruption();
interruption.handled = true;
let testbed: BillingTestbed | undefined;

async function run(): Promise<number> {
  testbed = await startBillingTestbed();
  printLine(`${kills} kills, seed ${seed}\n${describeConditions()}`);
  const { violations, ...counts } = await runPaymentChaos(testbed, {
    kills,
    withinMs: minutes * 60_000,
    seed,
    printLine,
  });
  for (const [name, count] of Object.entries(counts)) printLine(`${name}: ${count}`);
  for (const violation of violations.slice(0, 50)) printLine(`VIOLATION: ${violation}`);
  printLine(`${violations.length} violations.\n${describeConditions()}`);
  return violations.length === 0 ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await testbed?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
