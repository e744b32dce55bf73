import { isPublicSuffix } from './publicEndings.ts';

test.each(['com', 'co.uk', 'github.io', 'duckdns.org', 'xn--p1ai', 'xn--55qx5d.cn'])('%s is a public suffix', (host) =>
  expect(isPublicSuffix(host)).toBe(true),
);

test.each(['evil.com', 'evil.co.uk', 'evil.github.io', 'evil.example', 'nowhere', 'www.ck', '10.0.0.1', '[::1]'])(
  '%s belongs to one owner',
  (host) => expect(isPublicSuffix(host)).toBe(false),
);
