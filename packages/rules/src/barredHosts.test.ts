import { findBarredHost, isBarred, parseBarrableHost } from './barredHosts.ts';

test.each([
  ['evil.example', 'evil.example'],
  ['  Evil.EXAMPLE. ', 'evil.example'],
  ['*.evil.example', 'evil.example'],
  ['https://login.evil.example:8443/a?b#c', 'login.evil.example'],
  ['evil.example/path', 'evil.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['раypal.example', 'xn--ypal-43d9g.example'],
  ['0x7f.1', '127.0.0.1'],
  ['http://[2001:db8::0:1]/', '[2001:db8::1]'],
  // A public suffix alone would bar half the world.
  ['com', undefined],
  ['*.com', undefined],
  ['', undefined],
  ['ftp://evil.example', undefined],
  ['evil example', undefined],
  [`${'a'.repeat(64)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`, undefined],
])('%j names %j', (text, host) => {
  expect(parseBarrableHost(text)).toBe(host);
});

test('a host is barred on its own or with its subdomains, but not by a mere suffix', () => {
  const list = new Set(['exact.example', '*.wide.example', '[2001:db8::1]']);
  const barred = [
    'exact.example',
    'exact.example.',
    'wide.example',
    'a.wide.example',
    'b.a.wide.example.',
    '[2001:db8::1]',
  ];
  const free = ['www.exact.example', 'bewide.example', 'wide.example.org', 'example', ''];
  expect(barred.filter((host) => !isBarred(list, host))).toEqual([]);
  expect(free.filter((host) => isBarred(list, host))).toEqual([]);
  expect(isBarred(new Set(), 'exact.example')).toBe(false);
});

test.each([
  ['See https://a.wide.example/x.', 'a.wide.example'],
  ['(WIDE.example)!', 'wide.example'],
  ['www.wide.example:443', 'www.wide.example'],
  ['見て（https://a.wide.example/x）。', 'a.wide.example'],
  ['見てhttps://a.wide.example。', 'a.wide.example'],
  ['「wide.example」', 'wide.example'],
  ['An honest text, with dots... and e.g. bewide.example', undefined],
])('finds that %j leads to %j', (text, host) => {
  expect(findBarredHost(new Set(['*.wide.example']), text)).toBe(host);
});

test('a text crafted to slow down the search does not', () => {
  const list = new Set(['*.wide.example']);
  const began = process.cpuUsage();
  for (const punctuation of ['.', '!', '’', 'a.', 'a!']) findBarredHost(list, `a${punctuation.repeat(30_000)}a`);
  expect(process.cpuUsage(began).user).toBeLessThan(500_000);
  expect(findBarredHost(list, `wide.example${'!'.repeat(30_000)}`)).toBe('wide.example');
});
