import { isWebPort, parseLink, portOf } from './linkAddress.ts';

const parse = (text: string, base?: string) =>
  parseLink(text, isWebPort, base === undefined ? undefined : new URL(base));

describe('parseLink', () => {
  it('accepts web pages', () => {
    expect(parse('https://example.org/a?b#c').href).toBe('https://example.org/a?b#c');
    expect(portOf(parse('http://example.org'))).toBe(80);
    expect(portOf(parse('https://example.org'))).toBe(443);
    expect(parse('http://example.org:443/').port).toBe('443');
  });

  it('resolves relative references of a page', () => {
    expect(parse('../picture.png', 'https://example.org/a/b/c').href).toBe('https://example.org/a/picture.png');
    expect(parse('//other.example/x', 'https://example.org/').href).toBe('https://other.example/x');
  });

  it.each([
    '',
    'example.org',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,<title>x</title>',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'http://',
    'http://[::1',
    'http://1.2.3.4.5.6.7.800/',
    `https://example.org/${'a'.repeat(3_000)}`,
  ])('rejects %s as a page', (text) =>
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'link_invalid' })),
  );

  it.each([
    'http://ada@example.org/',
    'http://ada:secret@example.org/',
    'http://:secret@example.org/',
    'http://example.org:22/',
    'http://example.org:6379/',
    'https://example.org:8443/',
  ])('refuses URL %s', (text) => expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'link_refused' })));

  it.each(['http://0x7f.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://127.1/', 'http://①②⑦.⓪.⓪.①/'])(
    'normalizes the address in %s',
    (text) => expect(parse(text).hostname).toBe('127.0.0.1'),
  );
});
