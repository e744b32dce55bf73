import { firstLink, readLinkPreview, shortenToOneLine, writeLinkPreview } from './linkPreview.ts';

const url = 'https://example.org/bay';
const text = `See ${url}`;
const read = (fields: object, words = text) =>
  readLinkPreview(JSON.stringify({ url, title: 'The bay', ...fields }), words);

test('a preview from the sender’s client is read, and its lengths are limited', () => {
  expect(read({ description: 'x'.repeat(1_000), siteName: 'Example\n\u202eorg' })).toEqual({
    url,
    title: 'The bay',
    description: `${'x'.repeat(299)}…`,
    siteName: 'Example org',
  });
});

test('a preview may only be of a URL in the text', () => {
  expect(read({ url: 'https://evil.example/' })).toBeNull();
  expect(read({ url: 'javascript:alert(1)' }, 'javascript:alert(1)')).toBeNull();
});

test('an external picture is not shown', () => {
  expect(read({ image: 'https://tracker.example/x.png' })).not.toHaveProperty('image');
  expect(read({ image: 'data:image/svg+xml;base64,AAAA' })).not.toHaveProperty('image');
  expect(read({ image: 'data:image/webp;base64,AAAA' })).toHaveProperty('image');
});

test('an invalid preview is ignored', () => {
  for (const json of [null, '', 'null', '[]', '{"url":1}', 'x'.repeat(40_000)]) {
    expect(readLinkPreview(json, text)).toBeNull();
  }
  expect(read({ title: ' ' })).toBeNull();
});

test('a preview that is too large is sent without its picture', () => {
  const image = `data:image/webp;base64,${'A'.repeat(40_000)}`;
  expect(JSON.parse(writeLinkPreview({ url, title: 'The bay', image }) ?? '')).toEqual({ url, title: 'The bay' });
  expect(writeLinkPreview({ url, title: 'x'.repeat(40_000) })).toBeNull();
});

test('the first link to a web page is previewed', () => {
  expect(firstLink('mailto:a@example.org, then www.example.org and https://example.com')).toBe(
    'https://www.example.org/',
  );
  expect(firstLink('nothing')).toBeNull();
  expect(shortenToOneLine(undefined, 5)).toBe('');
});
