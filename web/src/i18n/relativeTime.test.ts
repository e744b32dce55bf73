import { createI18n } from './i18n.ts';
import { getTranslate } from './texts.ts';
import { formatTimeUntil, formatTimeSince } from './relativeTime.ts';

const now = new Date(2026, 4, 4, 14, 0).getTime();
const minute = 60_000;
const hour = 60 * minute;

const t = getTranslate(createI18n());

test.each([
  [-minute, 'Just now'],
  [0, 'Just now'],
  [59 * minute, 'Just now'],
  [hour, '1h ago'],
  [24 * hour - 1, '23h ago'],
  [24 * hour, '1d ago'],
  [49 * hour, '2d ago'],
  [400 * 24 * hour, '400d ago'],
])('%d ms ago is %j', (passed, words) => {
  expect(formatTimeSince(now - passed, now, t)).toBe(words);
});

test('a label within a sentence starts with a lower-case letter', () => {
  expect(formatTimeSince(now, now, t, 'inSentence')).toBe('just now');
  expect(formatTimeSince(now - hour, now, t, 'inSentence')).toBe('1h ago');
});

test.each([
  [30_000, 'this minute'],
  [5 * minute, 'in 5 minutes'],
  [119 * minute, 'in 1 hour'],
  [24 * hour, 'tomorrow'],
  [-30_000, 'Just now'],
  [-3 * hour, '3h ago'],
  [-45 * 24 * hour, '45d ago'],
])('%d ms away is %j', (distance, words) => {
  expect(formatTimeUntil(now + distance, now, 'en', t)).toBe(words);
});
