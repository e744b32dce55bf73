import { once } from 'node:events';
import type { Conversation } from '@nolo/api';
import { converse, eventually, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import { countUnread } from '@nolo/client/chat/countUnread';
import { LiveDeliveryChecker } from '../../support/clients/LiveDeliveryChecker.ts';
import type { FaultStack } from '../../support/stacks/faultStack.ts';
import { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import { ResilientClient } from '../../support/clients/ResilientClient.ts';
import { createSeededRandom } from '../../support/clients/scenario.ts';
import { createFaultInjector } from './injector.ts';

export interface BadgeChaosOptions {
  rounds: number;
  seed: number;
  printLine: (line: string) => void;
  signal: AbortSignal;
}

export interface BadgeChaosReport {
  rounds: number;
  /** Messages received and conversations read, in storms and in calm. */
  messages: number;
  reads: number;
  faults: Record<string, number>;
  /** Times from an action while nothing was broken until all three devices agreed with the server. */
  calmMs: number[];
  /** Times from when a device that was offline during a storm had a network again until all devices agreed. */
  backMs: number[];
  /** Times from when the last fault was over until the devices agreed. */
  healedMs: number[];
  violations: readonly string[];
}

const friends = 3;
const devicesOfAnn = 3;
/** Number of actions in a storm, and the maximum pause between them. */
const actionsInStorm = 40;
const maxGapMs = 600;
const actionsInCalm = 12;
/** Decision 6 allows one second; beyond twice that, a machine is not merely busy. */
const rightWithinMs = 2_000;
const healedWithinMs = 60_000;
/** Interval at which the server is queried for the right count. */
const refreshEveryMs = 100;
/** Time after the last fault until clients that missed something unnoticed have caught up. */
const recoveryMs = 25_000;
const pace = { minCalmMs: 200, maxCalmMs: 2_500 };

/** Returns the unread count according to the server. */
async function owed({ api }: TestUser): Promise<number> {
  const { status, body } = await api.get('/api/conversations');
  if (status !== 200) throw new Error(`The conversations were answered with ${status}.`);
  return countUnread(body as Conversation[], Date.now());
}

const badge = ({ engine }: ResilientClient) =>
  countUnread(Object.values(engine.store.getState().conversations), Date.now());

/**
 * Counts unread messages of one account on three devices while friends write and any device reads. In storms things
 * break and one device has no network at all. In calm every device is right soon after every action.
 */
export async function runBadgeChaos(stack: FaultStack, options: BadgeChaosOptions): Promise<BadgeChaosReport> {
  const { rounds, seed, printLine, signal } = options;
  const random = createSeededRandom(seed);
  const history = new ChaosHistory();
  const watch = new LiveDeliveryChecker(history);
  const report = { messages: 0, reads: 0, calmMs: [] as number[], backMs: [] as number[], healedMs: [] as number[] };
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const url = (index: number) => stack.urls[index % stack.urls.length] ?? '';

  const ann = await signUpByPhone(url(0));
  const accounts = [ann];
  while (accounts.length < devicesOfAnn) accounts.push(await signInByPhone(url(accounts.length), ann.phone));
  const writers: { client: ResilientClient; conversationId: string }[] = [];
  for (let index = 0; index < friends; index += 1) {
    const friend = await signUpByPhone(url(index));
    const conversationId = (await converse(ann, friend)).id as string;
    const client = new ResilientClient({ name: `friend${index}`, user: friend, history, watch, random });
    writers.push({ client, conversationId });
  }
  const devices = accounts.map(
    (user, index) => new ResilientClient({ name: `ann${index}`, user, history, watch, random }),
  );
  const everybody = [...devices, ...writers.map(({ client }) => client)];
  const ids = writers.map(({ conversationId }) => conversationId);
  await Promise.all(devices.map((device) => device.open(ids)));
  await Promise.all(writers.map(({ client, conversationId }) => client.open([conversationId])));
  const injector = createFaultInjector(stack, seed, pace);

  const write = () => {
    const { client, conversationId } = oneOf(writers);
    client.sendMessage(conversationId);
    report.messages += 1;
  };
  const read = (device: ResilientClient) => {
    device.engine.markRead(oneOf(ids));
    report.reads += 1;
  };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Measures how long these devices take to agree with the server. Too long is a violation. */
  const untilRight = async (those: readonly ResilientClient[], withinMs: number, what: string): Promise<number> => {
    const began = performance.now();
    let serverTruth = { at: Number.NEGATIVE_INFINITY, truth: 0 };
    const counts = () => those.map((one) => `${one.name} ${badge(one)}`).join(', ');
    try {
      await eventually(
        async () => {
          if (writers.some(({ client }) => client.pending > 0)) throw new Error('A message has not been stored yet.');
          const { truth } = serverTruth;
          const wrong = those.filter((one) => one.connection !== 'open' || badge(one) !== truth);
          if (performance.now() - serverTruth.at > refreshEveryMs) {
            serverTruth = { truth: await owed(ann), at: performance.now() };
            if (serverTruth.truth !== truth) throw new Error("The server's count has changed.");
          }
          if (wrong.length > 0) throw new Error(`${counts()}; the server ${truth}.`);
          return true;
        },
        { timeoutMs: withinMs, intervalMs: 10 },
      );
    } catch (error) {
      history.violation(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return performance.now() - began;
  };

  const storm = async (present: readonly ResilientClient[]) => {
    injector.begin();
    for (let action = 0; action < actionsInStorm && !signal.aborted; action += 1) {
      if (random() < 0.7) write();
      else read(oneOf(present));
      await pause(random() * maxGapMs);
    }
    await injector.pause();
  };

  const calm = async () => {
    for (let action = 0; action < actionsInCalm && !signal.aborted; action += 1) {
      if (random() < 0.6) write();
      else read(oneOf(devices));
      report.calmMs.push(await untilRight(devices, rightWithinMs, 'In calm'));
    }
  };

  let done = 0;
  try {
    while (done < rounds && !signal.aborted) {
      const absent = oneOf(devices);
      const present = devices.filter((one) => one !== absent);
      absent.setAway(true);
      await storm(present);
      report.healedMs.push(await untilRight(present, healedWithinMs, 'After a storm'));
      // Stopping ends the wait as well.
      await Promise.race([pause(recoveryMs), once(signal, 'abort')]);
      absent.setAway(false);
      report.backMs.push(await untilRight(devices, rightWithinMs, 'Back after an absence'));
      await calm();
      done += 1;
      printLine(
        `round ${done}: ${report.messages} messages, ${report.reads} reads, ${history.violations.length} violations`,
      );
    }
  } finally {
    for (const one of everybody) one.stop();
    watch.stop();
  }
  return { ...report, rounds: done, faults: injector.count, violations: history.violations };
}
