/**
 * Checks that nothing acknowledged is lost, duplicated, reordered or left closed while services, stores and
 * connections fail: docs/faults.md.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listenForInterruption } from '../../scripts/interruption.ts';
import type { ReplicaOptions } from '../../scripts/stack.ts';
import { describeConditions, printLine } from '../load/support/measure.ts';
import { startFaultStack, type FaultStack } from '../support/stacks/faultStack.ts';
import { createClockOffsetOptions } from '../support/stacks/servicePairs.ts';
import { providePreviousRelease } from '../support/stacks/previousRelease.ts';
import { runMessageChaos, type MessageChaosReport } from './support/messageChaos.ts';

const usage = `npm run chaos -- messages [options]
  --messages N  stop after N acknowledged and compared messages (1000000)
  --minutes M   stop after M minutes at the latest (120)
  --seed S      seed of the fault schedule; the same seed causes the same faults in the same order
  --clients N   number of light clients, each in two conversations (96)
  --sealed N    number of people with keys, each in two sealed conversations and one sealed group (12)
  --rate N      messages per second to send, as far as the machine can (800)
  --calm S      average number of seconds without a fault before the next one (3.75)
  --storm S     seconds of faults before everything is healed, watched in calm, and compared (120)
  --watch S     seconds to watch in calm, before the first storm and after each (20)
  --beside      run the second process of each service from the release in deploy/lastRelease
  --report FILE write the summary as JSON, with every fault`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        messages: { type: 'string', default: '1000000' },
        minutes: { type: 'string', default: '120' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        clients: { type: 'string', default: '96' },
        sealed: { type: 'string', default: '12' },
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
    if (wrong !== undefined) throw new Error(`--${wrong} must be a number above 0.`);
    const few = ['clients', 'sealed'].find((name) => (read[name] ?? 0) < 3);
    if (few !== undefined) throw new Error(`--${few} must be at least 3, because the conversations form a ring.`);
    return { numbers: read as Record<keyof typeof numbers, number>, report, beside };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return process.exit(2);
  }
}

function summarize(report: MessageChaosReport): void {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  printLine(
    [
      '',
      `seed ${report.seed}${report.interrupted ? ', interrupted' : ''}`,
      `acknowledged          ${report.acknowledged} of ${report.sent} in ${report.tried} attempts, ${report.perSecond}/s`,
      `verified              ${report.verified} in ${report.comparisons} comparisons, ${report.rereadMessages} reread at the end`,
      `lost                  ${report.lost}`,
      `double                ${report.double}`,
      `out of order          ${report.outOfOrder}`,
      `edits and deletions   ${report.amended}`,
      `reactions             ${report.reacted}`,
      `joins and leaves      ${report.moved}`,
      `sealed                ${report.sealed.verified} of ${report.sealed.sent} messages verified, ${report.sealed.amended} edits and deletions, ${report.sealed.reacted} reactions, ${report.sealed.moved} joins and removals, ${report.sealed.epochs} epochs of the group`,
      `sealed rows opened    ${report.sealed.opened}, ${report.sealed.unopenable} unopenable`,
      `edits and reactions   ${report.wrongAmendments} wrong, ${report.lateAmendments} where an unanswered attempt arrived late`,
      `calm                  ${report.calmViolations} violations in ${report.checkedInCalm} changes and ${report.calmSeconds} s, slowest delivery after ${report.slowestLiveMs} ms`,
      `other violations      ${report.otherViolations}`,
      `faults                ${faults}: ${list(report.faults)}`,
      `reconnects            ${report.reconnects}`,
      `catch-ups             ${list(report.catchUps)}`,
      `frames                ${report.redelivered} redelivered, ${report.lateFrames} after a later one`,
      `refusals by status    ${list(report.refusals)} (0 means no answer)`,
      `longest outage        ${report.longestOutageSeconds} s without an acknowledgement`,
      `duration              ${report.seconds} s, checker heap ${report.megabytes} MB`,
      ...report.violations.map((one) => `VIOLATION ${one}`),
    ].join('\n'),
  );
}

/** Returns the settings of each service's second process. */
function secondOf(beside: boolean): ReplicaOptions {
  if (!beside) return createClockOffsetOptions(40);
  const { root, why } = providePreviousRelease();
  if (root === undefined) throw new Error(why);
  return { ...createClockOffsetOptions(40), root };
}

const { numbers, report: file, beside } = readOptions();
const interruption = listenForInterruption();
interruption.handled = true;
const ending = new AbortController();
interruption.before(() => ending.abort());
let stack: FaultStack | undefined;
let code = 1;
try {
  printLine(`Messages under all kinds of faults, --seed ${numbers.seed}\n${describeConditions()}`);
  const second = secondOf(beside);
  stack = await startFaultStack({ hasProxies: true, pair: () => [{}, second] });
  const report = await runMessageChaos(stack, {
    ...numbers,
    stormSeconds: numbers.storm,
    calmSeconds: numbers.watch,
    pace: { minCalmMs: numbers.calm * 400, maxCalmMs: numbers.calm * 1_600 },
    printLine,
    signal: ending.signal,
  });
  summarize(report);
  printLine(describeConditions());
  if (file !== undefined) writeFileSync(resolve(process.env['INIT_CWD'] ?? '.', file), JSON.stringify(report, null, 2));
  code = report.violations.length > 0 ? 1 : report.interrupted ? await interruption.happened : 0;
} catch (error) {
  // If interrupted before the start, the run fails in whatever it was about to do.
  if (interruption.requested) code = await interruption.happened;
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await stack?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
