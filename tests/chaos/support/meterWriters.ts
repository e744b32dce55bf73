import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMeterStore } from '../../../services/billing/src/store/meterStore.ts';
import type { BillingTestbed } from '../../support/stacks/billingTestbed.ts';
import { retryUntilAnswered, retryTimeoutMs } from './retryUntilAnswered.ts';

const feature = 'transcriptionSeconds';
export const meterWriterCount = 32;
/** Few enough that several writers use one meter at once. */
const peopleAtOnce = 4;
/** Uses per person, far below the limit of a Free plan, so that nothing is refused. */
const usesEach = 400;
const maxSecondsPerUse = 3;
const meanPauseMs = 500;
/** Services retry until billing has the step; on a busy machine, this many at once wait a long time. */
const stepMs = 5 * retryTimeoutMs;

export interface MeterWriters {
  /** Stops new uses and waits for those in progress. */
  stop(): Promise<void>;
  /** Returns the number of uses started. */
  uses(): number;
  /** Compares meters with what happened. */
  judge(): Promise<string[]>;
}

/**
 * Simulates usage as services report it: reserve, then commit or release. Each step is retried until billing answers,
 * and some run twice.
 */
export function startMeterWriters(
  testbed: Pick<BillingTestbed, 'entitlements' | 'db'>,
  random: () => number,
): MeterWriters {
  const { entitlements } = testbed;
  const used = new Map<string, number>();
  const failures: string[] = [];
  const people = Array.from({ length: peopleAtOnce }, () => ({ id: randomUUID(), uses: 0 }));
  let uses = 0;
  let stopping = false;

  const nextPerson = (): string => {
    const place = Math.floor(random() * people.length);
    const known = people[place];
    const person = known && known.uses < usesEach ? known : { id: randomUUID(), uses: 0 };
    person.uses += 1;
    people[place] = person;
    return person.id;
  };
  const step = async (call: () => Promise<unknown>) => {
    // Sends some calls twice, as if the first answer had come too late.
    for (let time = random() < 0.2 ? 2 : 1; time > 0; time -= 1) await retryUntilAnswered(call, stepMs);
  };
  const use = async () => {
    const userId = nextPerson();
    const one = { userId, feature, reservationId: randomUUID() };
    const amount = 1 + Math.floor(random() * maxSecondsPerUse);
    const [ends, real] = [random(), 1 + Math.floor(random() * amount)];
    uses += 1;
    await step(() => entitlements.reserveUsage({ ...one, amount, at: undefined }));
    // A tenth of the uses stay reserved, as if their service had died.
    if (ends < 0.7) await step(() => entitlements.commitUsage({ ...one, amount: real }));
    else if (ends < 0.9) await step(() => entitlements.releaseUsage({ ...one, committed: false }));
    const counted = ends < 0.7 ? real : ends < 0.9 ? 0 : amount;
    used.set(userId, (used.get(userId) ?? 0) + counted);
  };
  const work = Promise.all(
    Array.from({ length: meterWriterCount }, async () => {
      while (!stopping) {
        await use().catch((error: unknown) => {
          failures.push(`counting a use failed: ${error instanceof Error ? error.message : String(error)}`);
        });
        await sleep(2 * meanPauseMs * random());
      }
    }),
  );

  return {
    async stop() {
      stopping = true;
      await work;
    },
    uses: () => uses,
    async judge() {
      const violations = [...failures];
      for (const [userId, expected] of used) {
        const { limits } = await retryUntilAnswered(() => entitlements.getEntitlements({ userId }));
        const meteredSeconds = limits.find((one) => one.feature === feature)?.used;
        if (meteredSeconds !== expected)
          violations.push(`the meter of ${userId} shows ${meteredSeconds} of ${expected} seconds`);
      }
      for (const { userId } of await createMeterStore(testbed.db).differences()) {
        violations.push(`the meter of ${userId} does not equal the sum of its reservations`);
      }
      return violations;
    },
  };
}
