/** Nothing acknowledged is lost, doubled or reordered while services, stores and lines break: docs/faults.md. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listenForInterruption } from '../../scripts/interruption.ts';
import type { Replica } from '../../scripts/stack.ts';
import { conditions, say } from '../load/support/measure.ts';
import { startFaultStack, type FaultStack } from '../support/faultStack.ts';
import { clockOffBy } from '../support/pairs.ts';
import { providePreviousRelease } from '../support/previousRelease.ts';
import { runMessageChaos, type ChaosReport } from './support/messageChaos.ts';

const usage = `npm run chaos -- messages [options]
  --messages N  until so many are acknowledged and compared (1000000)
  --minutes M   but no longer than this (120)
  --seed S      the schedule of faults; the same seed breaks the same things in the same order
  --clients N   light clients, each in two conversations (96)
  --rate N      messages a second that they begin, as far as the machine can (800)
  --calm S      seconds without a fault before the next, on average (3.75)
  --storm S     seconds of faults before all is mended, watched in calm and compared, again and again (120)
  --watch S     seconds that it is watched in calm, before the first storm and after each (20)
  --beside      the second process of each service is of the previous release, which deploy/lastRelease names
  --report FILE writes the summary as JSON, with every fault`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        messages: { type: 'string', default: '1000000' },
        minutes: { type: 'string', default: '120' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        clients: { type: 'string', default: '96' },
        rate: { type: 'string', default: '800' },
        calm: { type: 'string', default: '3.75' },
        storm: { type: 'string', default: '120' },
        watch: { type: 'string', default: '20' },
        report: { type: 'string' },
        beside: { type: 'boolean', default: false },
      },
    });
    const { report, beside, ...numbers } = values;
    const read = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]));
    const wrong = Object.keys(read).find((name) => !((read[name] ?? 0) > 0));
    if (wrong !== undefined) throw new Error(`--${wrong} takes a number above 0.`);
    if ((read['clients'] ?? 0) < 3) throw new Error('--clients takes at least 3, for the conversations are a ring.');
    return { numbers: read as Record<keyof typeof numbers, number>, report, beside };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return process.exit(2);
  }
}

function summarize(report: ChaosReport): void {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  say(
    [
      '',
      `seed ${report.seed}${report.interrupted ? ', interrupted' : ''}`,
      `acknowledged          ${report.acknowledged} of ${report.said} in ${report.tried} tries, ${report.perSecond}/s`,
      `verified              ${report.verified} in ${report.comparisons} comparisons, ${report.readAgain} read once more at the end`,
      `lost                  ${report.lost}`,
      `double                ${report.double}`,
      `out of order          ${report.outOfOrder}`,
      `edits and erasures    ${report.amended}`,
      `reactions             ${report.reacted}`,
      `came and went         ${report.moved}`,
      `of both               ${report.wrongAmendments} wrong, ${report.lateAmendments} where an unanswered try came late`,
      `calm                  ${report.calmViolations} violations in ${report.heldInCalm} changes and ${report.calmSeconds} s, the slowest told after ${report.slowestLiveMs} ms`,
      `other violations      ${report.otherViolations}`,
      `faults                ${faults}: ${list(report.faults)}`,
      `reconnects            ${report.reconnects}`,
      `catch-ups             ${list(report.catchUps)}`,
      `frames                ${report.redelivered} redelivered, ${report.lateFrames} behind a later one, ${report.swapped} gaps that closed`,
      `refusals by status    ${list(report.refusals)} (0 is no answer)`,
      `longest outage        ${report.longestOutageSeconds} s without any acknowledgement`,
      `duration              ${report.seconds} s, the checker's heap at ${report.megabytes} MB`,
      ...report.violations.map((one) => `VIOLATION ${one}`),
    ].join('\n'),
  );
}

/** The second process of each service. */
function secondOf(beside: boolean): Replica {
  if (!beside) return clockOffBy(40);
  const { root, why } = providePreviousRelease();
  if (root === undefined) throw new Error(why);
  return { ...clockOffBy(40), root };
}

const { numbers, report: file, beside } = readOptions();
const interruption = listenForInterruption();
interruption.handled = true;
const ending = new AbortController();
interruption.before(() => ending.abort());
let stack: FaultStack | undefined;
let code = 1;
try {
  say(`Messages while everything breaks, --seed ${numbers.seed}\n${conditions()}`);
  const second = secondOf(beside);
  stack = await startFaultStack({ lines: true, pair: () => [{}, second] });
  const report = await runMessageChaos(stack, {
    ...numbers,
    stormSeconds: numbers.storm,
    calmSeconds: numbers.watch,
    pace: { leastCalmMs: numbers.calm * 400, mostCalmMs: numbers.calm * 1_600 },
    say,
    signal: ending.signal,
  });
  summarize(report);
  say(conditions());
  if (file !== undefined) writeFileSync(resolve(process.env['INIT_CWD'] ?? '.', file), JSON.stringify(report, null, 2));
  code = report.violations.length > 0 ? 1 : report.interrupted ? await interruption.happened : 0;
} catch (error) {
  // Told to end before it had begun, it fails in what it was about to do.
  if (interruption.requested) code = await interruption.happened;
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await stack?.stop();
  await interruption.cleanUp();
}
// Sockets and timers of a run that was cut short are no reason to stay.
process.exit(code);
