import { isLookAlikeName, findRealHost } from './lookAlikes.ts';

test.each([
  ['https://раypal.com/login', 'xn--ypal-43d9g.com'],
  ['https://аррӏе.com', 'xn--80ak6aa92e.com'],
  ['www.gооgle.com', 'www.xn--ggle-55da.com'],
  ['https://login.ɡithub.com/x', 'login.xn--ithub-qmc.com'],
])('%p leads to %p, which is shown', (address, host) => {
  expect(findRealHost(address)).toBe(host);
});

test.each([
  'https://example.org/раypal',
  'https://münchen.de',
  'https://пример.рф',
  'https://новости.com',
  'https://日本語.jp',
  'https://例え.テスト',
])('%p is what it seems', (address) => {
  expect(findRealHost(address)).toBeUndefined();
});

test('a look-alike name is detected, and a name may have words in two scripts', () => {
  expect(isLookAlikeName('Annа Weber')).toBe(true);
  expect(isLookAlikeName('Anna Иванова')).toBe(false);
  expect(isLookAlikeName('Zoë Müller-Ó Brien')).toBe(false);
  expect(isLookAlikeName('田中 Kenji')).toBe(false);
});
