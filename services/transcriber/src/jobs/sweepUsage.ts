import type { Clock } from '@nolo/kit/clock';
import type { UsageStore } from '../domain/ports.ts';
import { monthBefore, monthsKept } from '../domain/usage.ts';

/** Deletes what a crash left claimed, and the minutes of months that nobody asks about any more. */
export async function sweepUsage({ usage, clock }: { usage: UsageStore; clock: Clock }): Promise<number> {
  const now = clock.now();
  return await usage.sweep(now, monthBefore(now, monthsKept));
}
