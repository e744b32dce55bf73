import { firstLink, readLinkPreview, shortText, writeLinkPreview } from './linkPreview.ts';

const url = 'https://example.org/bay';
const text = `See ${url}`;
const read = (fields: object, words = text) =>
  readLinkPreview(JSON.stringify({ url, title: 'The bay', ...fields }), words);

test('what a sender’s client says of a link is read, and bounded', () => {
  expect(read({ description: 'x'.repeat(1_000), siteName: 'Example\n\u202eorg' })).toEqual({
    url,
    title: 'The bay',
    description: `${'x'.repeat(299)}…`,
    siteName: 'Example org',
  });
});

test('it speaks of no other address than one that stands in the text', () => {
  expect(read({ url: 'https://evil.example/' })).toBeNull();
  expect(read({ url: 'javascript:alert(1)' }, 'javascript:alert(1)')).toBeNull();
});

test('a picture from elsewhere is not shown', () => {
  expect(read({ image: 'https://tracker.example/x.png' })).not.toHaveProperty('image');
  expect(read({ image: 'data:image/svg+xml;base64,AAAA' })).not.toHaveProperty('image');
  expect(read({ image: 'data:image/webp;base64,AAAA' })).toHaveProperty('image');
});

test('what is none is none', () => {
  for (const json of [null, '', 'null', '[]', '{"url":1}', 'x'.repeat(40_000)]) {
    expect(readLinkPreview(json, text)).toBeNull();
  }
  expect(read({ title: ' ' })).toBeNull();
});

test('one that is too large goes without its picture', () => {
  const image = `data:image/webp;base64,${'A'.repeat(40_000)}`;
  expect(JSON.parse(writeLinkPreview({ url, title: 'The bay', image }) ?? '')).toEqual({ url, title: 'The bay' });
  expect(writeLinkPreview({ url, title: 'x'.repeat(40_000) })).toBeNull();
});

test('the first address with a page behind it is looked at', () => {
  expect(firstLink('mailto:a@example.org, then www.example.org and https://example.com')).toBe(
    'https://www.example.org/',
  );
  expect(firstLink('nothing')).toBeNull();
  expect(shortText(undefined, 5)).toBe('');
});
