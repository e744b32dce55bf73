import { linksOf, sameText, textOfHtml } from './text.ts';

test('links are found by their bytes, without the sign that ends the sentence', () => {
  expect(linksOf('é https://example.org/x. Go')).toEqual([{ address: 'https://example.org/x', start: 3, end: 24 }]);
});

test('white space and markup do not make another text', () => {
  expect(sameText('a  b\n', 'a b')).toBe(true);
  expect(sameText('a b', 'ab')).toBe(false);
  expect(textOfHtml('<p>Tea &amp; cake<br>now</p><p>&lt;3</p>')).toBe('Tea & cake\nnow\n\n<3');
});
