import { limits } from '@nolo/rules';
import type { Month } from './ports.ts';

/** Voice notes of one person that are worked on at the same time. */
export const mostAtOncePerUser = 3;
/** Months for which used minutes are kept. */
export const monthsKept = 13;

export function monthOf(date: Date): Month {
  return date.toISOString().slice(0, 7);
}

/** The month that lies `months` before the one of `date`. */
export function monthBefore(date: Date, months: number): Month {
  return monthOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)));
}

/** What is still taken: a recorder that stops at the limit has some moments more. */
export const mostSeconds = limits.transcriptionAudioSeconds + 2;

/** What a voice note counts as: whole seconds, at least one. */
export function countedSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}
