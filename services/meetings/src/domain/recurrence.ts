import type { MeetingRecurrence } from '@nolo/rules';
import { DateTime, IANAZone } from 'luxon';

export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** More steps than lie between a meeting and its next date, however long nobody has come to it. */
const mostSteps = 10_000;

/**
 * The first date after `now` at which a meeting takes place again: at the same time of the clock in its own time zone,
 * whatever summer time does.
 */
export function nextOccurrence(
  scheduledAt: Date,
  recurrence: MeetingRecurrence,
  timeZone: string,
  now: Date,
): Date | undefined {
  if (recurrence === 'none') return undefined;
  const first = DateTime.fromJSDate(scheduledAt, { zone: timeZone === '' ? 'utc' : timeZone });
  // Counted from the first, so that the 31st does not become the 28th for good.
  for (let step = 1; step <= mostSteps; step += 1) {
    const next = first.plus(
      recurrence === 'monthly' ? { months: step } : recurrence === 'weekly' ? { weeks: step } : { days: step },
    );
    if (next.toMillis() <= now.getTime()) continue;
    if (recurrence === 'weekdays' && next.weekday > 5) continue;
    return next.toJSDate();
  }
  return undefined;
}
