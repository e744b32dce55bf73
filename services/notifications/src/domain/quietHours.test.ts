import { isQuiet, parseQuietHours } from './quietHours.ts';

const night = { fromMinute: 22 * 60, toMinute: 7 * 60, timeZone: 'Africa/Johannesburg' };

test('quiet hours follow their time zone, and may span midnight', () => {
  const at = (time: string) => isQuiet(night, new Date(time));
  // Two hours ahead of UTC.
  expect([at('2026-11-24T19:59:00Z'), at('2026-11-24T20:00:00Z')]).toEqual([false, true]);
  expect([at('2026-11-25T04:59:00Z'), at('2026-11-25T05:00:00Z')]).toEqual([true, false]);
  const noon = { ...night, fromMinute: 12 * 60, toMinute: 13 * 60, timeZone: 'UTC' };
  expect(isQuiet(noon, new Date('2026-11-24T12:30:00Z'))).toBe(true);
  expect(isQuiet(noon, new Date('2026-11-24T13:00:00Z'))).toBe(false);
  expect(isQuiet(null, new Date())).toBe(false);
});

test('quiet hours follow daylight saving changes', () => {
  const hours = { ...night, timeZone: 'Europe/Berlin' };
  // 22:30 local time in summer and in winter.
  expect(isQuiet(hours, new Date('2026-07-01T20:30:00Z'))).toBe(true);
  expect(isQuiet(hours, new Date('2026-12-01T20:30:00Z'))).toBe(false);
});

test.each([
  { ...night, timeZone: 'Atlantis/Harbour' },
  { ...night, timeZone: undefined },
  { ...night, toMinute: 1_440 },
  { ...night, fromMinute: 7 * 60 },
])('%j are not valid hours', (hours) => {
  expect(() => parseQuietHours(hours)).toThrow(expect.objectContaining({ code: 'quiet_hours_invalid' }));
});
