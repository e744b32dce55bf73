import { getNumberPrefix, parsePhoneNumber } from './phoneNumbers.ts';
import { parseSearch } from './search.ts';
import { computeRenewal } from './sessions.ts';

const name = (written: string, folded = written) => ({ name: { folded, written } });

test('a query with an @ means a whole username, in any case', () => {
  expect(parseSearch('@Ada.L', 100)).toEqual({ ...name('@ada.l'), username: 'ada.l' });
  expect(parseSearch('@a', 100)).toEqual(name('@a'));
});

test.each([
  [' Ada ', name('ada')],
  ['Gaël', name('gaël', 'gael')],
  ['İpek', name('i\u0307pek', 'ipek')],
  ['a\u0308\u0308', undefined],
  ['a', undefined],
  ['', undefined],
  ['A@B.org', { ...name('a@b.org'), email: 'a@b.org' }],
  ['a@b', name('a@b')],
  ['+27 82 555 0147', { ...name('+27 82 555 0147'), phoneNumber: '+27825550147' }],
  ['0027825550147', { ...name('0027825550147'), phoneNumber: '+27825550147' }],
  ['0825550147', name('0825550147')],
])('the search %j is read as %j', (query, plan) => {
  expect(parseSearch(query, 100)).toEqual(plan);
});

test.each([
  ['+1 (212) 555-0123', '+12125550123'],
  ['+44 7400 123456', '+447400123456'],
  ['+44 7400 123456 ext. 7', undefined],
  ['+54 11 2345 6789', '+5491123456789'],
  ['+54 9 11 2345 6789', '+5491123456789'],
  ['+54 11 15 2345 6789', '+5491123456789'],
  ['+54 351 234 5678', '+5493512345678'],
  ['+54 800 222 3444', '+548002223444'],
  ['+52 1 55 1234 5678', '+525512345678'],
  ['+52 55 1234 5678', '+525512345678'],
  ['+55 11 7765 4321', '+551177654321'],
  ['+55 11 97765 4321', '+5511977654321'],
  ['+27825550147; DROP', undefined],
  ['++27825550147', undefined],
])('the number %j is read as %j', (input, number) => {
  expect(parsePhoneNumber(input)).toBe(number);
});

test('ten thousand adjacent numbers share a prefix', () => {
  expect(getNumberPrefix('+27825550147')).toBe('+2782555');
});

test("a session's use is stored every five minutes, and its expiry once a day", () => {
  const day = 86_400_000;
  const start = Date.parse('2026-11-20T12:00:00Z');
  const stored = { lastUsedAt: new Date(start), expiresAt: new Date(start + 90 * day) };
  expect(computeRenewal(stored, new Date(start + 299_999))).toBeUndefined();
  expect(computeRenewal(stored, new Date(start + 300_000))).toEqual({
    ...stored,
    lastUsedAt: new Date(start + 300_000),
  });
  expect(computeRenewal(stored, new Date(start + day))?.expiresAt).toEqual(new Date(start + 91 * day));
});
