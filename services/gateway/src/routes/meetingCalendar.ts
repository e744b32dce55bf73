import type { Meeting } from '@nolo/api';
import { createEvent, type EventAttributes } from 'ics';
import { failGateway } from '../errors.ts';
import { timeZoneComponent } from './timeZoneComponent.ts';

const rules: Record<Meeting['recurrence'], string | undefined> = {
  none: undefined,
  daily: 'FREQ=DAILY',
  weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
};

const defaultMinutes = 60;

/** One meeting as an iCalendar file (RFC 5545), for whichever calendar a person uses. */
export function meetingCalendar(meeting: Meeting, publicUrl: string): string {
  const url = `${publicUrl}/meeting/${meeting.roomCode}`;
  const start = new Date(meeting.scheduledAt ?? meeting.startedAt ?? meeting.createdAt);
  const rule = rules[meeting.recurrence];
  const event: EventAttributes = {
    uid: `${meeting.id}@${new URL(publicUrl).hostname}`,
    title: meeting.name,
    description: [meeting.description, url].filter((line) => line !== '').join('\n\n'),
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
    .replace(/^DTSTART:.*$/m, () => `DTSTART;TZID=${timeZone}:${localStart}`)
    .replace('BEGIN:VEVENT', () => `${lines.join('\r\n')}\r\nBEGIN:VEVENT`);
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
