import type { Markup } from './parseMarkup.ts';
import { parseMarkup } from './parseMarkup.ts';
import { toPlainExcerpt, stripMarkup } from './toPlainExcerpt.ts';

const wordsOf = (nodes: readonly Markup[]): string =>
  nodes.map((node) => ('value' in node ? node.value : wordsOf(node.children))).join(' ');
const squeezed = (text: string) => text.replace(/\s+/gu, '');

test.each([
  ['**so** _it_ `is`', 'so it is'],
  ['*so* ~it~ **_was_**, (*really*)!', 'so it was, (really)!'],
  ['snake_case and 2 * 3', 'snake_case and 2 * 3'],
  ['~5 km or ~6', '~5 km or ~6'],
  ['¯\\_(ツ)_/¯', '¯\\_(ツ)_/¯'],
  ['one\n two', 'one two'],
  ['They say:\n> closed\n> > since 5 > 4', 'They say: closed since 5 > 4'],
])('markup is removed, text stays: %s', (text, plain) => {
  expect(toPlainExcerpt(text, 240)).toBe(plain);
});

test.each([
  '`npm start` and `x < y`',
  '```js\nconst a = `b`;\n```',
  '```\none\n\ntwo',
  'before\n```\ncode *is* code\n```\nafter *this*',
  '``a ` b``',
  '` a `',
  'a ` b',
  '`*not bold*` and *bold*',
  'two\n`lines\nof` code',
  '*`x`* _`y`_ ~`z`~',
  'https://h.example/a*b*c and *https://h.example/d_e_f*',
  '[here](https://h.example/a_b_c) and ![x](https://h.example/x.png)',
  '2*3*4=24 and 2 * 3',
  'これは*太字*です',
  '**2*3**',
  '*over\ntwo* lines, *not\n\nover* two paragraphs',
  '\\*not bold*',
  'snake_case_name __init__ ~5 km ~6',
])('exactly the markup that the parser recognises is removed: %j', (text) => {
  expect(squeezed(stripMarkup(text))).toBe(squeezed(wordsOf(parseMarkup(text))));
});

test('truncated code leaves no backtick', () => {
  expect(toPlainExcerpt('`npm run something`', 8)).toBe('npm run ');
  expect(toPlainExcerpt('```\nnpm start\n```', 240)).toBe('npm start');
});

test('text keeps its lines without its markup', () => {
  expect(stripMarkup('**so**\n  _it_ is')).toBe('so\n  it is');
});

test('an excerpt has the requested length, whatever the text', () => {
  expect(toPlainExcerpt('a'.repeat(10_000), 240)).toHaveLength(240);
  expect(toPlainExcerpt('*a '.repeat(10_000), 500)).toHaveLength(500);
});
