import { DateTime } from 'luxon';
import type { LimitedFeature } from '@nolo/rules';

/** Features counted from the beginning of each month. */
const monthlyFeatures = ['scheduledPosts', 'transcriptionSeconds'] as const satisfies readonly LimitedFeature[];
export type MonthlyFeature = (typeof monthlyFeatures)[number];
export const isMonthly = (feature: string): feature is MonthlyFeature =>
  monthlyFeatures.some((monthly) => monthly === feature);

/** Lifetime of a reservation. A transcription without a report for a day is dead; a post may wait for its month. */
const reservationMs: Readonly<Record<MonthlyFeature, number | null>> = {
  scheduledPosts: null,
  transcriptionSeconds: 86_400_000,
};

export function reservationExpiry(feature: MonthlyFeature, now: Date): Date | null {
  const ms = reservationMs[feature];
  return ms === null ? null : new Date(now.getTime() + ms);
}

const inZone = (timeZone: string, at: Date): DateTime => {
  const there = DateTime.fromJSDate(at, { zone: timeZone });
  return there.isValid ? there : DateTime.fromJSDate(at, { zone: 'UTC' });
};

/** Returns the calendar month in a time zone, such as 2026-11. Unknown time zones are treated as UTC. */
export const monthIn = (timeZone: string, at: Date): string => inZone(timeZone, at).toFormat('yyyy-MM');

/** Returns every calendar month that it currently is in any time zone, one or two. */
export const monthsInAnyTimeZone = (at: Date): string[] => [
  ...new Set(['Etc/GMT+12', 'Pacific/Kiritimati'].map((timeZone) => monthIn(timeZone, at))),
];

export const monthEndIn = (timeZone: string, at: Date): Date =>
  inZone(timeZone, at).startOf('month').plus({ months: 1 }).toJSDate();
