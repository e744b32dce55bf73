import type { Clock } from '@nolo/kit/clock';
import type { UsageStore } from '../domain/ports.ts';
import { monthsAgo, usageMonthsKept } from '../domain/usage.ts';

/** Deletes reservations left by crashes, and usage of months that are no longer queried. */
export async function sweepUsage({ usage, clock }: { usage: UsageStore; clock: Clock }): Promise<number> {
  const now = clock.now();
  return await usage.sweep(now, monthsAgo(now, usageMonthsKept));
}
