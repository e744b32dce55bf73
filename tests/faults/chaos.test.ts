import { startFaultStack, type FaultStack } from '../support/stacks/faultStack.ts';
import { createClockOffsetOptions } from '../support/stacks/servicePairs.ts';
import { runMessageChaos } from '../chaos/support/messageChaos.ts';
import { oneMinuteChaosOptions } from '../chaos/support/messageChaosPresets.ts';

/**
 * Runs a minute of `npm run chaos -- messages`. The same seed gives the same schedule: NOLO_FAULT_SEED=... npm test
 * faults.
 */
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);

let stack: FaultStack;
const lines: string[] = [];

beforeAll(async () => {
  stack = await startFaultStack({ hasProxies: true, pair: () => [{}, createClockOffsetOptions(40)] });
});

afterAll(async () => {
  await stack?.stop();
  process.stderr.write(`chaos with NOLO_FAULT_SEED=${seed}\n${lines.map((line) => `  ${line}\n`).join('')}`);
});

/** A run takes two minutes alone, and three times as long beside the integration tests on two cores. */
const limitMs = 480_000;

it(
  'messages are not lost, duplicated or reordered while processes and connections break at random',
  async () => {
    const report = await runMessageChaos(stack, {
      ...oneMinuteChaosOptions,
      seed,
      printLine: (line) => lines.push(line),
      signal: new AbortController().signal,
    });
    const { violations, acknowledged, sent, verified, sealed, rereadMessages, faults, faultLog, longestOutageSeconds } =
      report;
    lines.push(
      `at second: ${faultLog.join('; ')}`,
      `longest outage ${longestOutageSeconds} s, ${report.lateAmendments} late amendments`,
      `${acknowledged} acknowledged, ${report.amended} edits and erasures, ${report.reacted} reactions, ${report.moved} came or went`,
    );
    lines.push(
      `${report.checkedInCalm} changes watched in calm, the slowest told after ${report.slowestLiveMs} ms; catch-ups ${JSON.stringify(report.catchUps)}`,
    );
    lines.push(`sealed: ${JSON.stringify(sealed)}`);
    expect(violations).toEqual([]);
    // Every device opened every sealed message that was written.
    expect(sealed.verified).toBe(sealed.sent);
    expect(sealed.opened).toBeGreaterThan(sealed.sent);
    expect(acknowledged).toBe(sent);
    // Each of the three observed conversations ends with one message for which the run only waited on the live frame.
    expect(acknowledged - verified).toBeLessThanOrEqual(3);
    // Delivered live within two seconds, to every connected client.
    expect(report.checkedInCalm).toBeGreaterThan(300);
    // About half of the messages are in the light clients' conversations, which are read again.
    expect(rereadMessages).toBeGreaterThan(verified / 3);
    // Chance makes 6 % of the light clients' actions reactions; some fail because their message is erased meanwhile.
    expect(report.reacted).toBeGreaterThan(acknowledged * 0.015);
    // Five guests each join or leave every four seconds, as far as the services answer.
    expect(report.moved).toBeGreaterThan(10);
    // A storm draws from all kinds of faults. On a slow machine it has time for few, because killed processes take most
    // of it to restart.
    expect(Object.keys(faults).length).toBeGreaterThan(1);
  },
  limitMs,
);
