import { findLinkByteRanges, isSameText, extractTextFromHtml } from './text.ts';

test('links have byte offsets and exclude the punctuation that ends the sentence', () => {
  expect(findLinkByteRanges('é https://example.org/x. Go')).toEqual([
    { address: 'https://example.org/x', start: 3, end: 24 },
  ]);
});

test.each([
  ['（https://h.example/a）', [{ address: 'https://h.example/a', start: 3, end: 22 }]],
  ['😀https://h.example/a。', [{ address: 'https://h.example/a', start: 4, end: 23 }]],
  ['https://h.example/foo_-_foo_.pdf', [{ address: 'https://h.example/foo_-_foo_.pdf', start: 0, end: 32 }]],
  ['write to mailto:ada@example.org', []],
])('links in %s end where the sentence continues', (text, links) => {
  expect(findLinkByteRanges(text)).toEqual(links);
});

test('comparing texts ignores extra whitespace and markup', () => {
  expect(isSameText('a  b\n', 'a b')).toBe(true);
  expect(isSameText('a b', 'ab')).toBe(false);
  expect(extractTextFromHtml('<p>Tea &amp; cake<br>now</p><p>&lt;3</p>')).toBe('Tea & cake\nnow\n\n<3');
});
