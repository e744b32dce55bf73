import { findLinks } from './links.ts';

const hrefs = (text: string) => findLinks(text).flatMap((part) => (part.href === null ? [] : [part.href]));

test('the parts put together are the text', () => {
  const text = 'see https://example.org/a, then www.example.com. And (https://en.wikipedia.org/wiki/Bay_(Sea)) too';
  expect(
    findLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
  expect(hrefs(text)).toEqual([
    'https://example.org/a',
    'https://www.example.com/',
    'https://en.wikipedia.org/wiki/Bay_(Sea)',
  ]);
});

test.each([
  ['no address', 'just words'],
  ['another scheme', 'javascript:alert(1) data:text/html,x ftp://example.org file:///etc/passwd'],
  ['a scheme hidden in a word', 'xhttps://example.org'],
  ['credentials that pose as a host', 'https://bank.example@evil.example/'],
  ['a turned reading direction', 'https://example.org/\u202egnp.exe'],
  ['no host', 'https:// http://...'],
])('%s is no link', (_, text) => {
  expect(hrefs(text)).toEqual([]);
  expect(
    findLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test('a host of other letters is followed under its true name', () => {
  expect(hrefs('https://bücher.example/x')).toEqual(['https://xn--bcher-kva.example/x']);
});
