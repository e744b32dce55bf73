import { setMaxListeners } from 'node:events';
import { eventually } from '@nolo/testing';
import { requireHealth, type FaultStack } from '../../support/stacks/faultStack.ts';
import { LiveDeliveryChecker } from '../../support/clients/LiveDeliveryChecker.ts';
import { ChaosHistory, type HistoryRule } from '../../support/clients/ChaosHistory.ts';
import { createSeededRandom, startChaosScenario, type ChaosScenario } from '../../support/clients/scenario.ts';
import { startLightUsers, type LightUsers } from './lightUsers.ts';
import { startGroupTraffic } from './GroupTraffic.ts';
import { startSealedTraffic, type SealedReport, type SealedTraffic } from './SealedTraffic.ts';
import { createFaultInjector, type FaultInjector } from './injector.ts';
import type { FaultPace } from './schedule.ts';

export interface MessageChaosOptions {
  seed: number;
  /** Ends the run at the first comparison after this many acknowledged messages, ... */
  messages: number;
  /** ... or after this many minutes. */
  minutes: number;
  clients: number;
  /** People with keys, in sealed conversations. */
  sealed: number;
  rate: number;
  /** Duration of a storm of faults; then all is repaired, watched in calm and compared, in turn. */
  stormSeconds: number;
  /** Duration of watching in calm, before the first storm and after each. */
  calmSeconds: number;
  /** Minimum number of changes to watch; extends the calm phase on a slow machine. */
  calmChanges?: number;
  /** Ends the run at the first violation for which this returns true, without further comparisons. */
  until?: (violation: string) => boolean;
  pace: FaultPace;
  printLine: (line: string) => void;
  /** Ends the run with what was verified so far. */
  signal: AbortSignal;
}

export interface MessageChaosReport {
  seed: number;
  interrupted: boolean;
  seconds: number;
  sent: number;
  tried: number;
  acknowledged: number;
  /** Messages acknowledged and found where they belong, by all clients. */
  verified: number;
  /** Messages that were read again at the end. */
  rereadMessages: number;
  amended: number;
  reacted: number;
  /** Joins and leaves of a group. */
  moved: number;
  sealed: SealedReport;
  lateAmendments: number;
  perSecond: number;
  lost: number;
  double: number;
  outOfOrder: number;
  wrongAmendments: number;
  otherViolations: number;
  /** Changes that were not delivered live while nothing was broken, or had to be fetched then. */
  calmViolations: number;
  /** Changes watched in calm, their duration in seconds, and the longest time until the last device received one. */
  checkedInCalm: number;
  calmSeconds: number;
  slowestLiveMs: number;
  violations: readonly string[];
  comparisons: number;
  faults: Record<string, number>;
  reconnects: number;
  /** Requests for missed changes, by kind of client. */
  catchUps: Record<string, number>;
  /** Unsuccessful answers by status; 0 if there was no answer. */
  refusals: Record<string, number>;
  redelivered: number;
  lateFrames: number;
  longestOutageSeconds: number;
  /** Checker's heap in megabytes, garbage included. */
  megabytes: number;
  faultLog: readonly string[];
}

const progressEveryMs = 10_000;
/**
 * Exceeds the group size up to which members see each other's receipts, and is large enough that no service treats the
 * recipients as few.
 */
const groupSize = 60;
/**
 * Time after the last fault until clients that missed something have caught up. A gateway counts its received frames
 * every 10 s and notifies clients that got fewer in the second round; some time later they are done.
 */
const recoveryMs = 25_000;
/** Longest time until calm has shown enough changes: a busy machine makes few. */
const calmChangesMs = 180_000;
/** Share of the rate in calm: that phase checks delivery, not the capacity of a busy machine. */
const calmShare = 0.25;

/**
 * Runs four populations while things break: a few clients with the web client's own logic, whose screens are watched,
 * many light ones for volume, a group whose members come and go, and people with keys, who seal. Repeatedly repairs
 * everything, watches in calm, silences everyone and compares everything.
 */
export async function runMessageChaos(stack: FaultStack, options: MessageChaosOptions): Promise<MessageChaosReport> {
  const {
    seed,
    messages,
    minutes,
    clients,
    rate,
    stormSeconds,
    calmSeconds,
    calmChanges = 0,
    pace,
    until,
    printLine,
    signal,
  } = options;
  setMaxListeners(0, signal);
  const history = new ChaosHistory();
  const watch = new LiveDeliveryChecker(history);
  // Each population has its own random sequence, because the order of their draws depends on timing, which no seed can
  // fix.
  const [screensRandom, lightUsersRandom, groupRandom, sealedRandom] = [
    createSeededRandom(seed + 1),
    createSeededRandom(seed + 2),
    createSeededRandom(seed + 3),
    createSeededRandom(seed + 4),
  ] as const;
  const injector = createFaultInjector(stack, seed, pace);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const running: { lightUsers?: LightUsers; screens?: ChaosScenario; sealed?: SealedTraffic } = {};
  let [breaks, screenCatchUps] = [0, 0];
  let comparisons = 0;
  let rereadMessages = 0;
  const stop = () => {
    stopping.abort();
    watch.stop();
    running.screens?.stop();
    running.lightUsers?.stop();
    running.sealed?.stop();
  };
  signal.addEventListener('abort', stop);

  const gather = async () => {
    running.lightUsers = await startLightUsers({
      urls: stack.urls,
      gateways: stack.gateways,
      size: clients,
      groupSize,
      rate,
      history,
      watch,
      random: lightUsersRandom,
      signal: stopping.signal,
    });
    // Takes a while to start, and screens talk from their start on.
    running.sealed = await startSealedTraffic({
      urls: stack.urls,
      gateways: stack.gateways,
      size: options.sealed,
      history,
      random: sealedRandom,
    });
    running.screens = await startChaosScenario(stack.urls, screensRandom, history, watch);
    const group = await startGroupTraffic({
      urls: stack.urls,
      gateways: stack.gateways,
      history,
      random: groupRandom,
      signal: stopping.signal,
    });
    return [running.lightUsers, running.screens, group, running.sealed] as const;
  };
  const [all, few, group, sealed] = await gather().catch((error: unknown) => {
    stop();
    throw error;
  });
  const countScreens = () => {
    for (const client of few.clients) {
      breaks += client.breaks;
      screenCatchUps += client.catchUps;
    }
  };

  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  let doing = 'talking';
  const timer = setInterval(progressOf(history, injector, seconds, printLine), progressEveryMs, () => doing);

  const isOver = () => signal.aborted || (until !== undefined && history.violations.some(until));
  const last = async (ms: number) => {
    const end = performance.now() + ms;
    await eventually(() => performance.now() >= end || isOver(), { timeoutMs: 2 ** 31 - 1, intervalMs: 100 });
  };
  const talk = (share: number) => {
    all.talk(share);
    few.talk();
    group.talk();
    sealed.talk();
  };
  const beCalm = async () => {
    doing = 'watching in calm';
    talk(calmShare);
    await all.untilSettled();
    watch.begin();
    const wanted = watch.checked + calmChanges;
    await last(calmSeconds * 1_000);
    await eventually(() => watch.checked >= wanted || isOver(), { timeoutMs: calmChangesMs });
    await watch.end();
  };
  const storm = async () => {
    doing = 'talking';
    talk(1);
    injector.begin();
    await last(stormSeconds * 1_000);
    doing = 'mending';
    await injector.pause();
    for (const url of stack.gateways) await eventually(() => requireHealth(url));
    doing = 'recovering';
    all.talk(calmShare);
    await last(recoveryMs);
  };

  const compare = async () => {
    doing = 'falling silent';
    await Promise.all([all.fallSilent(), few.fallSilent(), group.fallSilent(), sealed.fallSilent()]);
    history.pause();
    doing = 'comparing';
    await all.compare();
    await few.compare();
    await group.compare();
    await sealed.compare();
    await few.fallSilent();
    history.pause();
    comparisons += 1;
  };

  const run = async () => {
    await beCalm();
    while (!isOver()) {
      await storm();
      await beCalm();
      if (isOver()) return;
      await compare();
      if (history.acknowledged + sealed.report().verified >= messages || seconds() > minutes * 60) break;
      countScreens();
      await few.reopen();
      await sealed.reopen();
    }
    if (isOver()) return;
    doing = 'rereading everything';
    rereadMessages = await all.rereadAll();
  };

  // An abort ends every wait.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The run was aborted.')), { once: true });
  });
  try {
    await Promise.race([run(), aborted]);
  } catch (error) {
    if (!signal.aborted) history.violation(`the run failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearInterval(timer);
    stop();
    await injector.pause().catch(() => undefined);
  }

  countScreens();
  return {
    ...whatBecameOf(history),
    seed,
    interrupted: signal.aborted,
    seconds: Math.round(seconds()),
    perSecond: Math.round(history.acknowledged / seconds()),
    rereadMessages,
    moved: group.changes(),
    sealed: sealed.report(),
    checkedInCalm: watch.checked,
    calmSeconds: Math.round(watch.seconds),
    slowestLiveMs: Math.round(watch.slowestMs),
    comparisons,
    faults: injector.count,
    reconnects: all.traffic.breaks + breaks,
    catchUps: { 'of screens': screenCatchUps, 'of light clients': all.catchUps() },
    refusals: all.traffic.refusals,
    megabytes: megabytes(),
    faultLog: injector.log,
  };
}

const megabytes = () => Math.round(process.memoryUsage().heapUsed / 1_048_576);
const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, times) => sum + times, 0);

/** Returns a function that prints new violations and a progress line at each call. */
function progressOf(
  history: ChaosHistory,
  injector: FaultInjector,
  seconds: () => number,
  printLine: (line: string) => void,
) {
  let [lastCount, lastAt] = [0, 0];
  let printed = 0;
  return (doing: () => string) => {
    const [count, at] = [history.acknowledged, seconds()];
    const recent = Math.round((count - lastCount) / (at - lastAt || 1));
    [lastCount, lastAt] = [count, at];
    for (const one of history.violations.slice(printed)) printLine(`VIOLATION ${one}`);
    printed = history.violations.length;
    const broken = injector.now.length > 0 ? `, now ${injector.now.join(' and ')}` : '';
    const silence = history.silenceMs > 2_000 ? `, nothing for ${(history.silenceMs / 1000).toFixed(0)} s` : '';
    printLine(
      `${at.toFixed(0).padStart(5)} s  ${count} acknowledged (${recent}/s, ${Math.round(count / at)}/s overall), ${history.verified} verified, ${sumOf(injector.count)} faults, ${sumOf(history.broken)} violations, ${megabytes()} MB; ${doing()}${broken}${silence}`,
    );
  };
}

function whatBecameOf(history: ChaosHistory) {
  const { sent, tried, acknowledged, verified, amended, reacted, lateAmendments, violations, redelivered } = history;
  const broken: Record<HistoryRule, number> = history.broken;
  return {
    sent,
    tried,
    acknowledged,
    verified,
    amended,
    reacted,
    lateAmendments,
    lost: broken.lost,
    double: broken.double,
    outOfOrder: broken.order,
    wrongAmendments: broken.amendment,
    otherViolations: broken.other,
    calmViolations: broken.calm,
    violations,
    redelivered,
    lateFrames: history.late,
    longestOutageSeconds: Math.round(history.longestOutageMs / 100) / 10,
  };
}
