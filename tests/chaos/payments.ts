/**
 * Kills billing and its worker at random points. Checks that everyone who paid has their plan, once, and that usage is
 * counted once.
 */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { conditions, say } from '../load/support/measure.ts';
import { startBillingGround, type BillingGround } from '../support/billingGround.ts';
import { runPaymentChaos } from './support/paymentChaos.ts';

const kills = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const minutes = Number(process.argv[4] ?? 60);

const interruption = listenForInterruption();
interruption.handled = true;
let ground: BillingGround | undefined;

async function run(): Promise<number> {
  ground = await startBillingGround();
  say(`${kills} kills, seed ${seed}\n${conditions()}`);
  const { violations, ...counts } = await runPaymentChaos(ground, { kills, withinMs: minutes * 60_000, seed, say });
  for (const [name, count] of Object.entries(counts)) say(`${name}: ${count}`);
  for (const violation of violations.slice(0, 50)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations.\n${conditions()}`);
  return violations.length === 0 ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await ground?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
