import { sanitizeReturnTo, withParameter } from './returnTo.ts';

describe('safeReturnTo', () => {
  it.each(['/', '/chat/0190?x=1#part', '/contacts', '/a%20b', '/group-chat/ABC234?from=//elsewhere'])(
    'keeps the path %s',
    (path) => {
      expect(sanitizeReturnTo(path)).toBe(path);
    },
  );

  it.each([
    undefined,
    '',
    'chat',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/%09/../\\evil',
    '/chat\\..\\',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    '/api/logout',
    '/API/logout',
    '/chat/../api/logout',
    '/ws',
    `/${'a'.repeat(2_001)}`,
  ])('refuses the path %j', (path) => {
    expect(sanitizeReturnTo(path)).toBe('/');
  });
});

it('adds a parameter and keeps the others', () => {
  expect(withParameter('/profile?tab=1#x', 'link_error', 'provider_taken')).toBe(
    '/profile?tab=1&link_error=provider_taken#x',
  );
});
