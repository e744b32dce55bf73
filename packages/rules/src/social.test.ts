import { countSocialText } from './social.ts';

test.each([
  ['hello', 5],
  ['caf\u00e9 and cafe\u0301', 13],
  ['日本語', 6],
  ['👩‍👩‍👧‍👦', 2],
  ['see https://example.org/a/very/long/path/that/goes/on/and/on', 27],
  ['a’b', 3],
])('X counts %s as %i', (text, count) => {
  expect(countSocialText.twitter(text)).toBe(count);
});

test('Bluesky counts what a person sees, Mastodon every link as 23, and the others characters', () => {
  expect(countSocialText.bluesky('👩‍👩‍👧‍👦e\u0301')).toBe(2);
  expect(countSocialText.mastodon('see https://example.org/a')).toBe(27);
  expect(countSocialText.threads('see https://a.example')).toBe(21);
});
