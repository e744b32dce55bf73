import { setMaxListeners } from 'node:events';
import { eventually } from '@nolo/testing';
import { demandHealth, type FaultStack } from '../../support/faultStack.ts';
import { History, type Rule } from '../../support/history.ts';
import { seeded, startScenario, type Scenario } from '../../support/scenario.ts';
import { gatherLightCrowd, type Crowd } from './crowd.ts';
import { gatherGroup } from './GroupTraffic.ts';
import { createInjector } from './injector.ts';
import type { Pace } from './schedule.ts';

export interface ChaosOptions {
  seed: number;
  /** It ends at the first comparison after so many were acknowledged, ... */
  messages: number;
  /** ... or after so many minutes. */
  minutes: number;
  clients: number;
  rate: number;
  /** Acknowledged messages between two comparisons. */
  compareEvery: number;
  pace: Pace;
  say: (line: string) => void;
  /** Ends it with what was verified so far. */
  signal: AbortSignal;
}

export interface ChaosReport {
  seed: number;
  interrupted: boolean;
  seconds: number;
  said: number;
  tried: number;
  acknowledged: number;
  /** Acknowledged and found where they belong, with everybody. */
  verified: number;
  /** Messages that were read once more at the end. */
  readAgain: number;
  amended: number;
  reacted: number;
  /** Comings and goings in a group. */
  moved: number;
  lateAmendments: number;
  perSecond: number;
  lost: number;
  double: number;
  outOfOrder: number;
  wrongAmendments: number;
  otherViolations: number;
  violations: readonly string[];
  comparisons: number;
  faults: Record<string, number>;
  reconnects: number;
  catchUps: number;
  /** Answers other than success, by status; 0 where none came. */
  refusals: Record<string, number>;
  redelivered: number;
  lateFrames: number;
  longestOutageSeconds: number;
  /** Of the checker's heap, garbage included. */
  megabytes: number;
  faultLog: readonly string[];
}

const progressEveryMs = 10_000;

/**
 * Three populations talk while things break: a few with the web client's own logic, whose screens are watched, many light
 * ones for volume, and a group whose members come and go. Again and again all is mended, everybody falls silent, and everything is compared.
 */
export async function runMessageChaos(stack: FaultStack, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, messages, minutes, clients, rate, compareEvery, pace, say, signal } = options;
  setMaxListeners(0, signal);
  const history = new History();
  // Each draws from its own, for they draw as they go, in an order that no seed can hold.
  const [ofScreens, ofCrowd, ofGroup] = [seeded(seed + 1), seeded(seed + 2), seeded(seed + 3)];
  const injector = createInjector(stack, seed, pace);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const running: { crowd?: Crowd; screens?: Scenario } = {};
  let breaks = 0;
  let comparisons = 0;
  let readAgain = 0;
  const stop = () => {
    stopping.abort();
    running.screens?.stop();
    running.crowd?.stop();
  };
  signal.addEventListener('abort', stop);

  const gather = async () => {
    running.crowd = await gatherLightCrowd({
      urls: stack.urls,
      gateways: stack.gateways,
      size: clients,
      rate,
      history,
      random: ofCrowd,
      signal: stopping.signal,
    });
    running.screens = await startScenario(stack.urls, ofScreens, history);
    const group = await gatherGroup({
      urls: stack.urls,
      gateways: stack.gateways,
      history,
      random: ofGroup,
      signal: stopping.signal,
    });
    return [running.crowd, running.screens, group] as const;
  };
  const [all, few, group] = await gather().catch((error: unknown) => {
    stop();
    throw error;
  });
  const breaksOf = () => few.clients.reduce((sum, client) => sum + client.breaks, 0);

  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const violated = () => Object.values(history.broken).reduce((sum, times) => sum + times, 0);
  const megabytes = () => Math.round(process.memoryUsage().heapUsed / 1_048_576);
  let [lastCount, lastAt] = [0, 0];
  let doing = 'talking';
  const progress = () => {
    const [count, at] = [history.acknowledged, seconds()];
    const recent = Math.round((count - lastCount) / (at - lastAt || 1));
    [lastCount, lastAt] = [count, at];
    const faults = Object.values(injector.count).reduce((sum, times) => sum + times, 0);
    const broken = injector.now.length > 0 ? `, now ${injector.now.join(' and ')}` : '';
    const silence = history.silenceMs > 2_000 ? `, nothing for ${(history.silenceMs / 1000).toFixed(0)} s` : '';
    say(
      `${at.toFixed(0).padStart(5)} s  ${count} acknowledged (${recent}/s, ${Math.round(count / at)}/s over all), ${history.verified} verified, ${faults} faults, ${violated()} violations, ${megabytes()} MB; ${doing}${broken}${silence}`,
    );
  };
  const timer = setInterval(progress, progressEveryMs);

  const compare = async () => {
    doing = 'mending';
    await injector.pause();
    for (const url of stack.gateways) await eventually(() => demandHealth(url), { timeoutMs: 30_000 });
    doing = 'falling silent';
    await Promise.all([all.fallSilent(), few.fallSilent(), group.fallSilent()]);
    history.pause();
    doing = 'comparing';
    await all.compare();
    await few.compare();
    await group.compare();
    await few.fallSilent();
    history.pause();
    comparisons += 1;
  };

  const run = async () => {
    for (;;) {
      const next = Math.min(messages, history.acknowledged + compareEvery);
      doing = 'talking';
      all.talk();
      few.talk();
      group.talk();
      injector.begin();
      const isDue = () => history.acknowledged >= next || seconds() > minutes * 60;
      await eventually(isDue, { timeoutMs: 2 ** 31 - 1, intervalMs: 100 });
      await compare();
      if (history.acknowledged >= messages || seconds() > minutes * 60) break;
      breaks += breaksOf();
      await few.reopen();
    }
    doing = 'reading everything again';
    readAgain = await all.readAgain();
  };

  // Whatever it was waiting for when it is told to end, it waits no longer.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It was told to end.')), { once: true });
  });
  try {
    await Promise.race([run(), aborted]);
  } catch (error) {
    if (!signal.aborted)
      history.violation(`the run broke off: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearInterval(timer);
    stop();
    await injector.pause().catch(() => undefined);
  }

  const broken: Record<Rule, number> = history.broken;
  const duration = seconds();
  return {
    seed,
    interrupted: signal.aborted,
    seconds: Math.round(duration),
    said: history.said,
    tried: history.tried,
    acknowledged: history.acknowledged,
    verified: history.verified,
    readAgain,
    amended: history.amended,
    reacted: history.reacted,
    moved: group.changes(),
    lateAmendments: history.lateAmendments,
    perSecond: Math.round(history.acknowledged / duration),
    lost: broken.lost,
    double: broken.double,
    outOfOrder: broken.order,
    wrongAmendments: broken.amendment,
    otherViolations: broken.other,
    violations: history.violations,
    comparisons,
    faults: injector.count,
    reconnects: all.traffic.breaks + breaks + breaksOf(),
    catchUps: all.traffic.catchUps,
    refusals: all.traffic.refusals,
    redelivered: history.redelivered,
    lateFrames: history.late,
    longestOutageSeconds: Math.round(history.longestOutageMs / 100) / 10,
    megabytes: megabytes(),
    faultLog: injector.log,
  };
}
