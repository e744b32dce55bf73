import { normalizeUsername, toUsernameSkeleton } from './usernames.ts';

test.each([
  ['Ada', 'ada'],
  [' @ada.lovelace_1815 ', 'ada.lovelace_1815'],
  ['a'.repeat(30), 'a'.repeat(30)],
])('%p is read as %p', (typed, username) => {
  expect(normalizeUsername(typed)).toBe(username);
});

test.each([
  '',
  'ad',
  'a'.repeat(31),
  '1ada',
  '_ada',
  'ada.',
  'ada..l',
  'ada._l',
  'ad a',
  'ad\u0430',
  'ad\u0131a',
  '@@ada',
])('%p is not a username', (typed) => {
  expect(normalizeUsername(typed)).toBeUndefined();
});

test.each(['Support', 'supp0rt', 'n0lo', 'ad_min', 'adrnin'])('%p could pose as the installation', (typed) => {
  expect(normalizeUsername(typed)).toBeUndefined();
});

test('lookalikes share one skeleton', () => {
  const alike = ['marcel0', 'marcelo', 'marce1o', 'rnarcelo', 'mar.cel_o'].map(toUsernameSkeleton);
  expect(new Set(alike).size).toBe(1);
  expect(toUsernameSkeleton('vvanda')).toBe(toUsernameSkeleton('wanda'));
  expect(toUsernameSkeleton('ada')).not.toBe(toUsernameSkeleton('adam'));
});
