/**
 * Sends sealed messages through a deployment in demo mode that somebody else breaks meanwhile, such as a cluster whose
 * pods are killed. Checks in the end that every device opened everything once, in one order.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { listenForInterruption } from '../../scripts/interruption.ts';
import { describeConditions, printLine } from '../load/support/measure.ts';
import { ChaosHistory } from '../support/clients/ChaosHistory.ts';
import { createSeededRandom } from '../support/clients/scenario.ts';
import { startSealedTraffic, type SealedTraffic } from './support/SealedTraffic.ts';

const address = process.argv[2];
const seconds = Number(process.argv[3] ?? 300);
const size = Number(process.argv[4] ?? 4);
const progressEveryMs = 10_000;

if (!address || !URL.canParse(address)) {
  process.stderr.write('Usage: npm run chaos -- deployment <address> [seconds, people]\n');
  process.exit(2);
}
const origin = new URL(address).origin;

const interruption = listenForInterruption();
interruption.handled = true;
const history = new ChaosHistory();
let traffic: SealedTraffic | undefined;

async function run(): Promise<number> {
  printLine(`${size} people at ${origin}, ${seconds} s\n${describeConditions()}`);
  traffic = await startSealedTraffic({
    urls: [origin],
    gateways: [origin],
    size,
    history,
    random: createSeededRandom(Date.now() % 1_000_000_000),
  });
  const began = performance.now();
  const progress = setInterval(() => {
    const { sent, epochs } = traffic!.report();
    const after = ((performance.now() - began) / 1_000).toFixed(0);
    printLine(`${after.padStart(5)} s  ${sent} sent, ${epochs} epochs, ${history.violations.length} violations`);
  }, progressEveryMs);
  traffic.talk();
  await sleep(seconds * 1_000);
  printLine('falling silent');
  await traffic.fallSilent();
  await traffic.compare();
  await traffic.reopen();
  clearInterval(progress);
  const { sent, verified, amended, reacted, moved, epochs, opened, unopenable } = traffic.report();
  printLine(`${verified} of ${sent} messages verified, ${amended} edits and deletions, ${reacted} reactions`);
  printLine(
    `${moved} joins and removals, ${epochs} epochs of the group, ${opened} rows opened, ${unopenable} unopenable`,
  );
  for (const violation of history.violations.slice(0, 50)) printLine(`VIOLATION ${violation}`);
  printLine(`${history.violations.length} violations.\n${describeConditions()}`);
  return history.violations.length === 0 && unopenable === 0 && verified === sent ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  traffic?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
