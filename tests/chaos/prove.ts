/** Proves the checker: introduces small bugs one after another, each of which the two-minute form must find. */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { describeConditions, printTable, printLine } from '../load/support/measure.ts';
import { startFaultStack, type FaultStack } from '../support/stacks/faultStack.ts';
import { installBug, bugs, createBuggyStackOptions, removeBug, type PlantedBug } from './support/bugs.ts';
import { runMessageChaos } from './support/messageChaos.ts';
import { twoMinuteChaosOptions } from './support/messageChaosPresets.ts';

const words = process.argv.slice(2);
const unknown = words.filter((word) => bugs[word] === undefined);
if (unknown.length > 0) {
  printLine(`Unknown bug ${unknown.join(', ')}. Known bugs: ${Object.keys(bugs).join(', ')}.`);
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

async function prove(name: string, bug: PlantedBug): Promise<void> {
  if (!stack || preload !== bug.preload) {
    await stack?.stop();
    stack = await startFaultStack(createBuggyStackOptions(bug));
    preload = bug.preload;
  }
  await installBug(stack, bug);
  try {
    const report = await runMessageChaos(stack, {
      ...twoMinuteChaosOptions,
      seed: 1,
      until: (violation) => bug.sign.test(violation),
      printLine: () => undefined,
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
    printLine(
      `${name}: ${found === undefined ? 'MISSED' : `found after ${report.seconds} s`}: ${found ?? report.violations[0] ?? 'nothing'}`,
    );
  } finally {
    await removeBug(stack);
  }
}

let code = 1;
try {
  printLine(describeConditions());
  for (const [name, bug] of chosen) await prove(name, bug);
  printTable(['bug', 'what it does', 'found after', 'as'], rows);
  printLine(`${rows.length - missed} of ${rows.length} bugs were found.\n${describeConditions()}`);
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
