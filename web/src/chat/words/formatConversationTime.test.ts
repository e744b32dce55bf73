import { formatConversationTime } from './formatConversationTime.ts';

const now = new Date(2026, 4, 13, 9, 30).getTime();
const text = (...date: [number, number, number, number, number]) =>
  formatConversationTime(new Date(...date).getTime(), now, 'en-GB').text;

test('a time is shown for less than 24 hours, otherwise a short date', () => {
  expect(text(2026, 4, 13, 9, 5)).toBe('9:05');
  expect(text(2026, 4, 12, 9, 31)).toBe('9:31');
  expect(text(2026, 4, 12, 9, 30)).toBe('12 May');
  expect(text(2025, 10, 2, 9, 30)).toBe('02/11/25');
});

test('the exact time is available for the tooltip', () => {
  expect(formatConversationTime(now, now, 'en-GB').exact).toMatch(/13 May 2026.*9:30/);
});
