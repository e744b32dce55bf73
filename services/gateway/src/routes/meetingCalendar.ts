import type { Meeting } from '@nolo/api';
import { createEvent, type EventAttributes } from 'ics';
import { createGatewayError } from '../errors.ts';
import { createTimeZoneComponent } from './timeZoneComponent.ts';

/** Last day that every month has. */
const lastCommonDay = 28;

/**
 * Returns the rule that matches how the meetings service counts: in a month without the day, the meeting is on the last
 * day.
 */
function monthlyRule(monthDay: number): string {
  if (monthDay <= lastCommonDay) return 'FREQ=MONTHLY';
  const days = Array.from({ length: monthDay - lastCommonDay + 1 }, (_, index) => lastCommonDay + index);
  return `FREQ=MONTHLY;BYMONTHDAY=${days.join(',')};BYSETPOS=-1`;
}

function ruleOf(recurrence: Meeting['recurrence'], monthDay: number): string | undefined {
  switch (recurrence) {
    case 'none':
      return undefined;
    case 'daily':
      return 'FREQ=DAILY';
    case 'weekdays':
      return 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';
    case 'weekly':
      return 'FREQ=WEEKLY';
    case 'monthly':
      return monthlyRule(monthDay);
  }
}

/**
 * Prepares text for RFC 5545: converts every line break to a line feed, which the library escapes, and removes control
 * characters except tabs. Some calendars would treat a bare carriage return as a line end.
 */
const plainText = (text: string): string =>
  text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const defaultMinutes = 60;

/** Builds an iCalendar file (RFC 5545) for one meeting. `monthDay`: day of a monthly meeting, 1 to 31. */
export function createMeetingCalendar(meeting: Meeting, monthDay: number | undefined, publicUrl: string): string {
  const url = `${publicUrl}/meeting/${meeting.roomCode}`;
  const start = new Date(meeting.scheduledAt ?? meeting.startedAt ?? meeting.createdAt);
  const rule = ruleOf(meeting.recurrence, monthDay ?? 1);
  const event: EventAttributes = {
    uid: `${meeting.id}@${new URL(publicUrl).hostname}`,
    title: plainText(meeting.name),
    description: [plainText(meeting.description), url].filter((line) => line !== '').join('\n\n'),
    location: url,
    url,
    start: start.getTime(),
    startInputType: 'utc',
    startOutputType: 'utc',
    duration: { minutes: meeting.duration ?? defaultMinutes },
    status: meeting.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED',
    productId: '-//Nolo//Meetings//EN',
    ...(rule === undefined ? {} : { recurrenceRule: rule }),
  };
  const { error, value } = createEvent(event);
  if (error || !value) {
    throw createGatewayError('invalid', 'invalid_input', 'This meeting cannot be exported as a calendar file.');
  }
  return foldLines(rule === undefined || meeting.timeZone === null ? value : inZone(value, meeting.timeZone, start));
}

/** Expresses times in the meeting's zone, so a recurring meeting keeps its local hour, which UTC cannot express. */
function inZone(calendar: string, timeZone: string, start: Date): string {
  const { lines, localStart } = createTimeZoneComponent(timeZone, start);
  return calendar
    .replace(/\r\nDTSTART:[^\r]*/, () => `\r\nDTSTART;TZID=${timeZone}:${localStart}`)
    .replace('\r\nBEGIN:VEVENT', () => `\r\n${lines.join('\r\n')}\r\nBEGIN:VEVENT`);
}

/** Folds lines at 75 octets (RFC 5545). The library counts characters, which may take up to four octets. */
function foldLines(calendar: string): string {
  const maxOctets = 75;
  return calendar
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .map((line) => {
      let [folded, octets] = ['', 0];
      for (const character of line) {
        const size = Buffer.byteLength(character);
        if (octets + size > maxOctets) {
          folded += '\r\n ';
          octets = 1;
        }
        folded += character;
        octets += size;
      }
      return folded;
    })
    .join('\r\n');
}
