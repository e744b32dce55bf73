import { countGraphemes, countMastodon, countX, linksOf, sameText, textOfHtml } from './text.ts';

test.each([
  ['hello', 5],
  ['caf\u00e9 and cafe\u0301', 13],
  ['日本語', 6],
  ['👩‍👩‍👧‍👦', 2],
  ['see https://example.org/a/very/long/path/that/goes/on/and/on', 27],
  ['a’b', 3],
])('X counts %s as %i', (text, count) => {
  expect(countX(text)).toBe(count);
});

test('Bluesky counts what a person sees, and Mastodon every link as 23', () => {
  expect(countGraphemes('👩‍👩‍👧‍👦e\u0301')).toBe(2);
  expect(countMastodon('see https://example.org/a')).toBe(27);
});

test('links are found by their bytes, without the sign that ends the sentence', () => {
  expect(linksOf('é https://example.org/x. Go')).toEqual([{ address: 'https://example.org/x', start: 3, end: 24 }]);
});

test('white space and markup do not make another text', () => {
  expect(sameText('a  b\n', 'a b')).toBe(true);
  expect(sameText('a b', 'ab')).toBe(false);
  expect(textOfHtml('<p>Tea &amp; cake<br>now</p><p>&lt;3</p>')).toBe('Tea & cake\nnow\n\n<3');
});
