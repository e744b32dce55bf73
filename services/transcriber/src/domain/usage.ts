import { limits } from '@nolo/rules';
import type { UsageMonth } from './ports.ts';

/** Maximum voice notes of one person in progress. */
export const maxConcurrentPerUser = 3;
/** Number of months for which usage is stored. */
export const usageMonthsKept = 13;

export function calendarMonthOf(date: Date): UsageMonth {
  return date.toISOString().slice(0, 7);
}

/** Returns the month `months` before that of `date`. */
export function monthsAgo(date: Date, months: number): UsageMonth {
  return calendarMonthOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)));
}

/** Maximum accepted duration: a recorder that stops at the limit may run slightly over. */
export const maxAudioSeconds = limits.transcriptionAudioSeconds + 2;

/** Returns the counted duration: whole seconds, at least one. */
export function roundToCountedSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}
