import type { Meeting } from '@nolo/api';
import { getDateFormat } from '../i18n/dates.ts';

/** Formats a duration: "45 min", "1 hr 30 min". */
export function formatDuration(minutes: number, locale: string): string {
  const formatUnit = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [
    ...(hours > 0 ? [formatUnit(hours, 'hour')] : []),
    ...(rest > 0 || hours === 0 ? [formatUnit(rest, 'minute')] : []),
  ].join(' ');
}

/** Formats day and time of a planned meeting, with the year only if it is not the current one. */
export function formatPlannedTime(at: number, now: number, locale: string): string {
  const thisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return getDateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!thisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(at);
}

/** Returns the relevant moment of a meeting for its card, or null. */
export function findMeetingMoment(meeting: Meeting): string | null {
  switch (meeting.status) {
    case 'live':
      return meeting.startedAt ?? meeting.createdAt;
    case 'created':
    case 'scheduled':
      return meeting.scheduledAt;
    case 'completed':
    case 'cancelled':
      return meeting.endedAt ?? meeting.updatedAt;
  }
}
