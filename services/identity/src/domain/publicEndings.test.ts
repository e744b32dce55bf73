import { isPublicSuffix } from './publicEndings.ts';

test.each(['com', 'co.uk', 'github.io', 'duckdns.org', 'xn--p1ai', 'xn--55qx5d.cn'])(
  'below %s are the websites of many',
  (host) => expect(isPublicSuffix(host)).toBe(true),
);

test.each(['evil.com', 'evil.co.uk', 'evil.github.io', 'evil.example', 'nowhere', 'www.ck', '10.0.0.1', '[::1]'])(
  '%s is somebody’s own',
  (host) => expect(isPublicSuffix(host)).toBe(false),
);
