import { dayLabel } from './dayLabel.ts';

const words = { today: 'Today', yesterday: 'Yesterday' };
const now = new Date(2026, 4, 13, 9).getTime();
const label = (...date: [number, number, number, number?]) =>
  dayLabel(new Date(...date).getTime(), now, 'en-GB', words);

test('days follow the calendar', () => {
  expect(label(2026, 4, 13, 0)).toBe('Today');
  expect(label(2026, 4, 12, 23)).toBe('Yesterday');
  expect(label(2026, 4, 11, 1)).toBe('Monday');
  expect(label(2026, 4, 7, 23)).toBe('Thursday');
});

test('a day a week ago or earlier shows its date, with the year if that is another', () => {
  expect(label(2026, 4, 6, 23)).toBe('6 May');
  expect(label(2025, 11, 31)).toBe('31 December 2025');
});

test('a clock that runs fast does not produce a tomorrow', () => {
  expect(label(2026, 4, 14)).toBe('Today');
});
