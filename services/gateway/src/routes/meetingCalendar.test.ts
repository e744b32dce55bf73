import { aMeeting } from '@nolo/testing/protos';
import { toMeeting } from '../mapping/meetings.ts';
import { createMeetingCalendar } from './meetingCalendar.ts';

/** Content lines of RFC 5545, unfolded. */
function linesOf(calendar: string): string[] {
  expect(calendar.endsWith('\r\n')).toBe(true);
  const folded = calendar.split('\r\n').slice(0, -1);
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
  return folded
    .join('\r\n')
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n');
}

const linesFor = (given: Parameters<typeof aMeeting>[0]) => {
  const row = aMeeting(given);
  return linesOf(createMeetingCalendar(toMeeting(row), row.monthDay, 'https://nolo.test'));
};

describe('the calendar file', () => {
  /** Expects each BEGIN to have its END, in order. */
  const expectNested = (lines: string[]) => {
    const open: string[] = [];
    for (const line of lines) {
      if (line.startsWith('BEGIN:')) open.push(line.slice(6));
      if (line.startsWith('END:')) expect(open.pop()).toBe(line.slice(4));
    }
    expect(open).toEqual([]);
  };

  it('contains the meeting once, in UTC', () => {
    const meeting = aMeeting({
      name: 'A, b; c\nd',
      description: 'ünïcödé '.repeat(20).trim(),
      scheduledAt: new Date('2026-03-02T08:30:00.000Z'),
      durationMinutes: 45,
    });
    const lines = linesFor(meeting);
    expectNested(lines);
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Nolo//Meetings//EN',
        `UID:${meeting.id}@nolo.test`,
        'SUMMARY:A\\, b\\; c\\nd',
        'DTSTART:20260302T083000Z',
        'DURATION:PT45M',
        'STATUS:CONFIRMED',
        'LOCATION:https://nolo.test/meeting/ABC234',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('RRULE') || line.includes('TZID'))).toEqual([]);
    expect(linesFor({ ...meeting, status: 'cancelled' })).toContain('STATUS:CANCELLED');
  });

  it('escapes line breaks in names and descriptions, and drops other control characters', () => {
    const lines = linesFor({
      name: 'A\rDTSTART:19700101T000000Z\u2028B\u0000\u001b',
      description: 'one\r\ntwo\rthree\nfour\tfive\u0085six\u2029BEGIN:VEVENT',
      scheduledAt: new Date('2026-03-02T08:30:00.000Z'),
      timeZone: 'UTC',
      recurrence: 'weekly',
    });
    expect(lines).toContain('SUMMARY:A\\nDTSTART:19700101T000000Z\\nB');
    expect(lines.filter((line) => line.startsWith('DTSTART;TZID=UTC:20260302T083000'))).toHaveLength(1);
    const description = lines.find((line) => line.startsWith('DESCRIPTION:'));
    expect(description).toContain('one\\ntwo\\nthree\\nfour\tfive\\nsix\\nBEGIN:VEVENT');
  });

  it.each([
    [31, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'],
    [30, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1'],
    [29, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1'],
    [28, 'RRULE:FREQ=MONTHLY'],
  ])('puts a monthly meeting on the %s on the last day of shorter months', (monthDay, rule) => {
    // The series continues in February.
    const scheduledAt = new Date('2026-02-28T08:30:00.000Z');
    expect(linesFor({ scheduledAt, recurrence: 'monthly', timeZone: 'Europe/Berlin', monthDay })).toContain(rule);
  });

  it('keeps the local time of a recurring meeting across daylight saving changes', () => {
    const scheduledAt = new Date('2026-03-02T08:30:00.000Z');
    const lines = linesFor({ scheduledAt, recurrence: 'weekdays', timeZone: 'Europe/Berlin' });
    expectNested(lines);
    expect(lines).toContain('DTSTART;TZID=Europe/Berlin:20260302T093000');
    expect(lines).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR');
    const spring = lines.indexOf('DTSTART:20260329T020000');
    expect(lines.slice(spring - 1, spring + 4)).toEqual([
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
    ]);
    expect(lines.indexOf('BEGIN:VTIMEZONE')).toBeLessThan(lines.indexOf('BEGIN:VEVENT'));
  });

  it('supports time zones without daylight saving, and those west of Greenwich', () => {
    const recurring = { scheduledAt: new Date('2026-03-02T08:30:00.000Z'), recurrence: 'daily' };
    const still = linesFor({ ...recurring, timeZone: 'Asia/Kathmandu' });
    expect(still).toContain('DTSTART;TZID=Asia/Kathmandu:20260302T141500');
    expect(still.filter((line) => line.startsWith('TZOFFSETTO'))).toEqual(['TZOFFSETTO:+0545']);
    const west = linesFor({ ...recurring, timeZone: 'America/New_York' });
    expect(west).toContain('DTSTART;TZID=America/New_York:20260302T033000');
    expect(west).toContain('TZOFFSETTO:-0400');
    expect(linesFor({ ...recurring, timeZone: 'UTC' })).toContain('DTSTART;TZID=UTC:20260302T083000');
  });
});
