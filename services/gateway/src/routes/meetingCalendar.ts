import type { Meeting } from '@nolo/api';
import { createEvent, type EventAttributes } from 'ics';
import { failGateway } from '../errors.ts';
import { timeZoneComponent } from './timeZoneComponent.ts';

/** Every month has this day. */
const lastCommonDay = 28;

/** As the meetings service counts the dates: a month without the day has the meeting on its last day. */
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
 * Text as RFC 5545 can carry it: every kind of line break as a line feed, which the library escapes, and no other control
 * characters but tabs. A bare carriage return would end the line in calendars that take it for a line break.
 */
const plainText = (text: string): string =>
  text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const defaultMinutes = 60;

/**
 * One meeting as an iCalendar file (RFC 5545), for whichever calendar a person uses. `monthDay` is the day of a monthly
 * meeting, 1 to 31.
 */
export function meetingCalendar(meeting: Meeting, monthDay: number | undefined, publicUrl: string): string {
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
    throw failGateway('invalid', 'invalid_input', 'This meeting cannot be written as a calendar file.');
  }
  return foldLines(rule === undefined || meeting.timeZone === null ? value : inZone(value, meeting.timeZone, start));
}

/** What recurs keeps its hour on the clocks of its zone, which a time in UTC cannot say. */
function inZone(calendar: string, timeZone: string, start: Date): string {
  const { lines, localStart } = timeZoneComponent(timeZone, start);
  return calendar
    .replace(/\r\nDTSTART:[^\r]*/, () => `\r\nDTSTART;TZID=${timeZone}:${localStart}`)
    .replace('\r\nBEGIN:VEVENT', () => `\r\n${lines.join('\r\n')}\r\nBEGIN:VEVENT`);
}

/** RFC 5545 has lines of 75 octets at most; the library counts characters, of which one may be four. */
function foldLines(calendar: string): string {
  const most = 75;
  return calendar
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .map((line) => {
      let [folded, octets] = ['', 0];
      for (const character of line) {
        const size = Buffer.byteLength(character);
        if (octets + size > most) {
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
