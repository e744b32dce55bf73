import { splitTextAtLinks } from './links.ts';

const hrefs = (text: string) =>
  splitTextAtLinks(text).flatMap((segment) => (segment.href === null ? [] : [segment.href]));

test('the parts joined together are the text', () => {
  const text = 'see https://example.org/a, then www.example.com. And (https://en.wikipedia.org/wiki/Bay_(Sea)) too';
  expect(
    splitTextAtLinks(text)
      .map((segment) => segment.text)
      .join(''),
  ).toBe(text);
  expect(hrefs(text)).toEqual([
    'https://example.org/a',
    'https://www.example.com/',
    'https://en.wikipedia.org/wiki/Bay_(Sea)',
  ]);
});

test.each([
  ['https://h.example/a~b~c', 'https://h.example/a~b~c'],
  ['https://h.example/a*b*c', 'https://h.example/a*b*c'],
  ['https://h.example/foo_-_foo_.pdf', 'https://h.example/foo_-_foo_.pdf'],
  ['*https://h.example/a*', 'https://h.example/a'],
  ['`https://h.example/a`', 'https://h.example/a'],
  ['https://h.example/a。次', 'https://h.example/a'],
  ['https://h.example/a、b', 'https://h.example/a'],
  ['（https://h.example/a）', 'https://h.example/a'],
  ['「https://h.example/a」', 'https://h.example/a'],
  ['https://h.example/a！', 'https://h.example/a'],
  ['‹https://h.example/a› and “https://h.example/a”', 'https://h.example/a'],
  ['\u2068https://h.example/a\u2069', 'https://h.example/a'],
  ['見てhttps://h.example/a', 'https://h.example/a'],
  ['https://h.example/a؟', 'https://h.example/a'],
  ['https://h.example/a।', 'https://h.example/a'],
  ['https://h.example/a…', 'https://h.example/a'],
  ['https://h.example/東京', 'https://h.example/%E6%9D%B1%E4%BA%AC'],
  ['https://h.example/a#b!c', 'https://h.example/a#b!c'],
  ['(https://h.example/a_(b))', 'https://h.example/a_(b)'],
])('the address in %s ends where the sentence continues', (text, href) => {
  expect(hrefs(text)[0]).toBe(href);
});

test.each([
  ['no address', 'just words'],
  ['another scheme', 'javascript:alert(1) data:text/html,x ftp://example.org file:///etc/passwd'],
  ['a scheme inside a word', 'xhttps://example.org'],
  ['credentials posing as a host', 'https://bank.example@evil.example/'],
  ['a reversed reading direction', 'https://example.org/\u202egnp.exe'],
  ['no host', 'https:// http://...'],
])('%s is not a link', (_, text) => {
  expect(hrefs(text)).toEqual([]);
  expect(
    splitTextAtLinks(text)
      .map((segment) => segment.text)
      .join(''),
  ).toBe(text);
});

test('an internationalized host is linked by its ASCII name', () => {
  expect(hrefs('https://bücher.example/x')).toEqual(['https://xn--bcher-kva.example/x']);
});

test('a mailto address becomes a link', () => {
  expect(hrefs('write to mailto:ada@example.org.')).toEqual(['mailto:ada@example.org']);
  expect(hrefs('mailto: mailto:nobody')).toEqual([]);
});

test('an unterminated address is not a link, rather than one that leads elsewhere', () => {
  expect(hrefs(`https://example.org/${'a'.repeat(10_000)}`)).toEqual([]);
});

test('an address after an unterminated one is found', () => {
  const endless = `https://example.org/${'a'.repeat(10_000)}?to=https://evil.example`;
  expect(hrefs(`${endless} https://example.org/b`)).toEqual(['https://example.org/b']);
});

test('a text crafted to slow down the page does not', () => {
  const began = process.cpuUsage();
  for (const text of [
    `https://example.org/${')'.repeat(60_000)}`,
    'https://example.org/) '.repeat(2_500),
    `www.${'.'.repeat(60_000)}`,
    'a'.repeat(60_000),
    '漢www.'.repeat(12_000),
    'www.'.repeat(16_000),
    'http://'.repeat(9_000),
    'mailto:'.repeat(9_000),
  ]) {
    splitTextAtLinks(text);
  }
  // CPU time, because other processes may use the machine too.
  expect(process.cpuUsage(began).user).toBeLessThan(500_000);
});
