import { DateTime, IANAZone } from 'luxon';
import type { Meeting } from './meeting.ts';

export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** What decides on which dates a meeting takes place. */
export type Series = Pick<Meeting, 'scheduledAt' | 'firstAt' | 'recurrence' | 'timeZone'>;

/** More steps than lie between a meeting and its next date, however long nobody has come to it. */
const mostSteps = 10_000;

/**
 * The first date after `now` at which a meeting takes place again: at the same time of the clock in its own time zone,
 * whatever summer time does, and on the last day of a month that is shorter than the day of `first`.
 */
function nextOccurrence(
  firstAt: Date,
  { recurrence, timeZone }: Pick<Series, 'recurrence' | 'timeZone'>,
  now: Date,
): Date | undefined {
  if (recurrence === 'none') return undefined;
  const first = inZone(firstAt, timeZone);
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

const inZone = (date: Date, timeZone: string) =>
  DateTime.fromJSDate(date, { zone: timeZone === '' ? 'utc' : timeZone });

/**
 * The date that all others are counted from, so that the 31st does not become the 28th for good after February, nor an hour
 * that summer time skipped another hour. Where the planned date is none of its series, a service of 0.1.0 moved
 * the meeting, and the series begins there.
 */
function startOf(series: Series): Date | null {
  const { scheduledAt, firstAt } = series;
  if (!scheduledAt || !firstAt || firstAt.getTime() === scheduledAt.getTime()) return scheduledAt;
  const justBefore = new Date(scheduledAt.getTime() - 1);
  return nextOccurrence(firstAt, series, justBefore)?.getTime() === scheduledAt.getTime() ? firstAt : scheduledAt;
}

/** When a meeting that nobody is in any more takes place next; undefined where it does not. */
export function nextDate(series: Series, now: Date): Date | undefined {
  const { scheduledAt, recurrence } = series;
  if (recurrence === 'none' || !scheduledAt) return undefined;
  // One that was opened before its time still takes place at its time.
  if (scheduledAt.getTime() > now.getTime()) return scheduledAt;
  return nextOccurrence(startOf(series) ?? scheduledAt, series, now);
}

/** The first date of the series after a host changed the meeting; undefined where it stays. */
export function firstDateAfter(
  before: Series,
  change: { readonly scheduledAt?: Date | null | undefined; readonly recurrence?: Series['recurrence'] },
): Date | null | undefined {
  const scheduledAt = change.scheduledAt ?? before.scheduledAt;
  const moved = scheduledAt?.getTime() !== before.scheduledAt?.getTime();
  const repeatsAnew = change.recurrence !== undefined && change.recurrence !== before.recurrence;
  return moved || repeatsAnew ? scheduledAt : undefined;
}

/** The day of the month, 1 to 31, on which a monthly meeting takes place, or on the last day of a month without it. */
export function monthDayOf(series: Series): number | undefined {
  const start = series.recurrence === 'monthly' ? startOf(series) : null;
  return start ? inZone(start, series.timeZone).day : undefined;
}
