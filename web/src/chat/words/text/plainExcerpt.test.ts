import { plainExcerpt, withoutMarks } from './plainExcerpt.ts';

test.each([
  ['**so** _it_ `is`', 'so it is'],
  ['*so* ~it~ **_was_**, (*really*)!', 'so it was, (really)!'],
  ['snake_case and 2 * 3', 'snake_case and 2 * 3'],
  ['~5 km or ~6', '~5 km or ~6'],
  ['¯\\_(ツ)_/¯', '¯\\_(ツ)_/¯'],
  ['one\n two', 'one two'],
  ['They say:\n> closed\n> > since 5 > 4', 'They say: closed since 5 > 4'],
])('marks go, words stay: %s', (text, plain) => {
  expect(plainExcerpt(text, 240)).toBe(plain);
});

test('a text keeps its lines without its marks', () => {
  expect(withoutMarks('**so**\n  _it_ is')).toBe('so\n  it is');
});

test('as much of it as is asked for, however it was made', () => {
  expect(plainExcerpt('a'.repeat(10_000), 240)).toHaveLength(240);
  expect(plainExcerpt('*a '.repeat(10_000), 500)).toHaveLength(500);
});
