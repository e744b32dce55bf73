import { nameInMail } from './mailNames.ts';

test.each([
  ['Anna Müller', 'Anna Müller'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['J.R. Smith', 'J.R. Smith'],
  ['Anne-Marie O’Neill', 'Anne-Marie O’Neill'],
  ['AC/DC', 'AC/DC'],
  ['山田 太郎', '山田 太郎'],
  ['Sammy Davis Jr.', 'Sammy Davis Jr.'],
])('the name %s stays', (name, shown) => {
  expect(nameInMail(name)).toBe(shown);
});

test.each([
  ['https://evil.example/win', ''],
  ['Win at evil.example', 'Win at'],
  ['EVIL.EXAMPLE', ''],
  ['evil．example', ''],
  ['evil。example Anna', 'Anna'],
  ['www.evil.example', ''],
  ['(evil.example)', ''],
  ['xn--80ak6aa92e.com', ''],
  ['прием.рф', ''],
  ['anna@evil.example', ''],
  ['mailto:anna', ''],
  ['tel:+15550100', ''],
  ['http://203.0.113.7', ''],
  ['203.0.113.7', ''],
])('of the name %s no address is left', (name, shown) => {
  expect(nameInMail(name)).toBe(shown);
});
