import { formatDay, isTimeZone, formatMoney, formatTime, toSupportedLanguage } from './languages.ts';

const time = new Date('2026-11-26T23:30:00Z');

test.each([
  [{ language: 'en' }, 'November 26, 2026', 'November 26, 2026 at 11:30 PM UTC', 'USD 1,234.50'],
  [{ language: 'de' }, '26. November 2026', '26. November 2026 um 23:30 UTC', '1.234,50 USD'],
  [
    { language: 'de', timeZone: 'Europe/Berlin' },
    '27. November 2026',
    '27. November 2026 um 00:30 MEZ',
    '1.234,50 USD',
  ],
  [{ language: 'en', timeZone: 'Nowhere/Land' }, 'November 26, 2026', 'November 26, 2026 at 11:30 PM UTC', undefined],
] as const)('%j formats days, times and amounts', (reader, day, moment, money) => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
  expect(plain(formatDay(reader, time))).toBe(day);
  expect(plain(formatTime(reader, time))).toBe(moment);
  if (money !== undefined) expect(plain(formatMoney(reader, 123_450, 'USD'))).toBe(money);
});

test('unknown languages fall back to English, without a time zone', () => {
  expect([toSupportedLanguage('de'), toSupportedLanguage('fr'), toSupportedLanguage(undefined)]).toEqual([
    'de',
    'en',
    'en',
  ]);
  expect([isTimeZone('Africa/Johannesburg'), isTimeZone('Nowhere/Land'), isTimeZone('')]).toEqual([true, false, false]);
});
