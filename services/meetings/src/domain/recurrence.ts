import { DateTime, IANAZone } from 'luxon';
import type { Meeting } from './meeting.ts';

export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** Fields that determine the dates of a meeting. */
export type MeetingSeries = Pick<Meeting, 'scheduledAt' | 'firstAt' | 'recurrence' | 'timeZone'>;

/** Maximum steps between a meeting and its next date, however long nobody has joined it. */
const maxRecurrenceSteps = 10_000;

/**
 * Returns the first date after `now` at which the meeting recurs: at the same local time in its own time zone,
 * regardless of daylight saving time, and on the last day of months shorter than the day of `first`.
 */
function nextOccurrence(
  firstAt: Date,
  { recurrence, timeZone }: Pick<MeetingSeries, 'recurrence' | 'timeZone'>,
  now: Date,
): Date | undefined {
  if (recurrence === 'none') return undefined;
  const first = inZone(firstAt, timeZone);
  // Counts from the first date, so the 31st does not become the 28th permanently.
  for (let step = 1; step <= maxRecurrenceSteps; step += 1) {
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
 * Returns the date that all others are counted from, so that the 31st does not permanently become the 28th after
 * February, and a skipped hour does not shift the time. If the planned date is not in its series, release 0.1.0 moved
 * the meeting, and the series starts there.
 */
function startOf(series: MeetingSeries): Date | null {
  const { scheduledAt, firstAt } = series;
  if (!scheduledAt || !firstAt || firstAt.getTime() === scheduledAt.getTime()) return scheduledAt;
  const justBefore = new Date(scheduledAt.getTime() - 1);
  return nextOccurrence(firstAt, series, justBefore)?.getTime() === scheduledAt.getTime() ? firstAt : scheduledAt;
}

/** Returns when a meeting that everyone left takes place next. Undefined if it does not. */
export function nextDate(series: MeetingSeries, now: Date): Date | undefined {
  const { scheduledAt, recurrence } = series;
  if (recurrence === 'none' || !scheduledAt) return undefined;
  // A meeting that was opened early still takes place at its time.
  if (scheduledAt.getTime() > now.getTime()) return scheduledAt;
  return nextOccurrence(startOf(series) ?? scheduledAt, series, now);
}

/** Returns the first date of the series after a host changed the meeting. Undefined if it stays the same. */
export function firstDateAfterChange(
  before: MeetingSeries,
  change: { readonly scheduledAt?: Date | null | undefined; readonly recurrence?: MeetingSeries['recurrence'] },
): Date | null | undefined {
  const scheduledAt = change.scheduledAt ?? before.scheduledAt;
  const moved = scheduledAt?.getTime() !== before.scheduledAt?.getTime();
  const repeatsAnew = change.recurrence !== undefined && change.recurrence !== before.recurrence;
  return moved || repeatsAnew ? scheduledAt : undefined;
}

/**
 * Returns the day of the month, 1 to 31, of a monthly meeting. In months without that day it takes place on the last
 * day.
 */
export function monthDayOf(series: MeetingSeries): number | undefined {
  const start = series.recurrence === 'monthly' ? startOf(series) : null;
  return start ? inZone(start, series.timeZone).day : undefined;
}
