/** Proves the checker: introduces small bugs one after another, each of which the two-minute form must find. */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { conditions, printTable, say } from '../load/support/measure.ts';
import { startFaultStack, type FaultStack } from '../support/faultStack.ts';
import { bringIn, bugs, stackWith, takeOut, type Bug } from './support/bugs.ts';
import { runMessageChaos } from './support/messageChaos.ts';
import { twoMinutes } from './support/twoMinutes.ts';

const words = process.argv.slice(2);
const unknown = words.filter((word) => bugs[word] === undefined);
if (unknown.length > 0) {
  say(`Unknown bug ${unknown.join(', ')}. Known bugs: ${Object.keys(bugs).join(', ')}.`);
  process.exit(2);
}
const chosen = Object.entries(bugs).filter(([name]) => words.length === 0 || words.includes(name));

const interruption = listenForInterruption();
interruption.handled = true;
const ending = new AbortController();
interruption.before(() => ending.abort());
let stack: FaultStack | undefined;
let preload: string | undefined;
const rows: (string | number)[][] = [];
let missed = 0;

async function prove(name: string, bug: Bug): Promise<void> {
  if (!stack || preload !== bug.preload) {
    await stack?.stop();
    stack = await startFaultStack(stackWith(bug));
    preload = bug.preload;
  }
  await bringIn(stack, bug);
  try {
    const report = await runMessageChaos(stack, {
      ...twoMinutes,
      seed: 1,
      until: (violation) => bug.sign.test(violation),
      say: () => undefined,
      signal: ending.signal,
    });
    const found = report.violations.find((violation) => bug.sign.test(violation));
    if (found === undefined) missed += 1;
    rows.push([
      name,
      bug.what,
      found === undefined ? 'MISSED' : `${report.seconds} s`,
      found ?? report.violations[0] ?? '',
    ]);
    say(
      `${name}: ${found === undefined ? 'MISSED' : `found after ${report.seconds} s`}: ${found ?? report.violations[0] ?? 'nothing'}`,
    );
  } finally {
    await takeOut(stack);
  }
}

let code = 1;
try {
  say(conditions());
  for (const [name, bug] of chosen) await prove(name, bug);
  printTable(['bug', 'what it does', 'found after', 'as'], rows);
  say(`${rows.length - missed} of ${rows.length} bugs were found.\n${conditions()}`);
  code = missed === 0 ? 0 : 1;
} catch (error) {
  if (interruption.requested) code = await interruption.happened;
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await stack?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
