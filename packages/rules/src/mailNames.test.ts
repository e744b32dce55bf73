import { sanitizeNameForMail } from './mailNames.ts';

test.each([
  ['Anna Müller', 'Anna Müller'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['J.R. Smith', 'J.R. Smith'],
  ['Anne-Marie O’Neill', 'Anne-Marie O’Neill'],
  ['AC/DC', 'AC/DC'],
  ['山田 太郎', '山田 太郎'],
  ['Sammy Davis Jr.', 'Sammy Davis Jr.'],
  ['Anna 3.14', 'Anna 3.14'],
  ['Zoe\u0301 हिन्दी', 'Zoe\u0301 हिन्दी'],
  ['i❤you', 'i❤you'],
])('keeps the name %s', (name, shown) => {
  expect(sanitizeNameForMail(name)).toBe(shown);
});

test.each([
  ['Dr.Müller', 'Dr. Müller'],
  ['St.Clair', 'St. Clair'],
  ['J.R.R.Tolkien', 'J.R.R. Tolkien'],
  ['Dr．Müller', 'Dr. Müller'],
  ['Win at evil.example', 'Win at evil. example'],
  ['(evil.example)', '(evil. example)'],
  ['evil.com.Müller', 'evil. com. Müller'],
])('adds spaces after full stops in the name %s', (name, shown) => {
  expect(sanitizeNameForMail(name)).toBe(shown);
});

test.each([
  ['https://evil.example/win', ''],
  ['Win at evil.com', 'Win at'],
  ['EVIL.COM', ''],
  ['evil．com', ''],
  ['evil。com Anna', 'Anna'],
  ['www.evil.example', ''],
  ['(evil.com)', ''],
  ['xn--80ak6aa92e.com', ''],
  ['прием.рф', ''],
  ['anna@evil.example', ''],
  ['mailto:anna', ''],
  ['tel:+15550100', ''],
  ['http://203.0.113.7', ''],
  ['203.0.113.7', ''],
  ['example.भारत', ''],
  ['evil.বাংলা', ''],
  ['हिन्दी.com', ''],
  ['i❤.ws', ''],
  ['💩.la', ''],
  ['“evil.com”', ''],
  ['evil.com/win', ''],
  ['evil.com.', ''],
  ['evil.com,Anna', ''],
  ['evil․com', ''],
  ['(http://2130706433/)', ''],
  ['"tel:+15550100"', ''],
  ['„http://2130706433/“', ''],
])('leaves no address in the name %s', (name, shown) => {
  expect(sanitizeNameForMail(name)).toBe(shown);
});
