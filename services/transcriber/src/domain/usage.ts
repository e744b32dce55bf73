import { limits } from '@nolo/rules';
import type { Month } from './ports.ts';

/** Maximum voice notes of one person in progress. */
export const mostAtOncePerUser = 3;
/** Number of months for which usage is stored. */
export const monthsKept = 13;

export function monthOf(date: Date): Month {
  return date.toISOString().slice(0, 7);
}

/** Returns the month `months` before that of `date`. */
export function monthBefore(date: Date, months: number): Month {
  return monthOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)));
}

/** Maximum accepted duration: a recorder that stops at the limit may run slightly over. */
export const mostSeconds = limits.transcriptionAudioSeconds + 2;

/** Returns the counted duration: whole seconds, at least one. */
export function countedSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}
