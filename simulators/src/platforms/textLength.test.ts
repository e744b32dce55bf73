import { socialTextCounters, type SocialPlatform } from '@nolo/rules';
import { fitsBluesky, mastodonLength, threadsLength, xLength } from './textLength.ts';

const family = '👩‍👩‍👧‍👦';

/** Lengths according to the platforms' documents. Nolo's rules, by which the app and the server count, must agree. */
const lengths: readonly (readonly [text: string, of: Partial<Record<'twitter' | 'threads' | 'mastodon', number>>])[] = [
  ['', { twitter: 0, threads: 0, mastodon: 0 }],
  ['hello', { twitter: 5, threads: 5, mastodon: 5 }],
  ['cafe\u0301', { twitter: 4, threads: 4, mastodon: 4 }],
  ['日本語', { twitter: 6, threads: 3, mastodon: 3 }],
  ['a’b—c…', { twitter: 7, threads: 6, mastodon: 6 }],
  ['example.com', { twitter: 23, threads: 11, mastodon: 11 }],
  ['see example.com/a?b=c.', { twitter: 28, threads: 22, mastodon: 22 }],
  ['日本語example.com', { twitter: 29 }],
  ['Node.js and a.b', { twitter: 15 }],
  ['ada@example.com', { twitter: 15 }],
  ['_example.com', { twitter: 12 }],
  ['https://example.com/a_(b)', { twitter: 23, mastodon: 23 }],
  ['https://example.com/a。', { twitter: 25 }],
  ['see https://example.org/a/very/long/path/that/goes/on/and/on', { twitter: 27, mastodon: 27 }],
  ['www.example.com', { twitter: 23, mastodon: 15 }],
  ['@ada@example.com hi', { mastodon: 7 }],
  ['1️⃣', { twitter: 2, threads: 7, mastodon: 1 }],
  ['#️⃣*️⃣', { twitter: 4 }],
  ['👍', { twitter: 2, threads: 4, mastodon: 1 }],
  ['👍🏽', { twitter: 2, threads: 8, mastodon: 1 }],
  [family, { twitter: 2, threads: 25, mastodon: 1 }],
  ['🇩🇪', { twitter: 2, threads: 8, mastodon: 1 }],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', { twitter: 2, threads: 28, mastodon: 1 }],
  ['❤️ and ❤', { twitter: 9, threads: 14, mastodon: 7 }],
  ['© 5 * #', { twitter: 7, threads: 7 }],
  ['1\u20e3', { twitter: 2 }],
  ['🇩🇩', { twitter: 4 }],
  ['🇩🇩🇪', { twitter: 4 }],
  ['❤\u200d👩', { twitter: 5 }],
  ['👩\u200d👩\u200d👩', { twitter: 8 }],
  ['🏳\u200d🌈 🏳\ufe0f\u200d🌈', { twitter: 8 }],
  ['👍\ufe0f', { twitter: 4 }],
  ['🔥🏽', { twitter: 4 }],
  ['🏴\u{e0067}\u{e0062}', { twitter: 6 }],
];

const simulated = { twitter: xLength, threads: threadsLength, mastodon: mastodonLength };

test.each(lengths)('%j is as long as the platforms count', (text, of) => {
  for (const [platform, length] of Object.entries(of)) {
    const count = socialTextCounters[platform as SocialPlatform];
    expect([platform, simulated[platform as keyof typeof simulated](text), count(text)]).toEqual([
      platform,
      length,
      length,
    ]);
  }
});

test.each([
  ['300 letters', 'a'.repeat(300), true],
  ['301 letters', 'a'.repeat(301), false],
  ['300 of Japanese', '日'.repeat(300), true],
  ['120 families of 25 bytes each', family.repeat(120), true],
  ['121 families', family.repeat(121), false],
  ['one byte too many', `${family.repeat(120)}a`, false],
])('Bluesky and Nolo agree on %s', (_, text, fits) => {
  expect([fitsBluesky(text), socialTextCounters.bluesky(text) <= 300]).toEqual([fits, fits]);
});

test('links and emoji of X match its own library, for texts of any combination', () => {
  const samples = (
    'example.com example.org/a?b=c a.b ex.photos 日本語 foo@ https:// http://a.de www. 1️⃣ 👩🏽‍🚀 © ☺️ é “q” … ’ 1 Node.js t.co/abc ' +
    'https://t.co/abcdef 。 （ ） @user / _ - . ( ) ? a=b & # com co.uk $ 中国 xn--p1ai /path_(a) /a~b*c ü münchen.de рус 👍🏽 ❤ ™ A 7 ' +
    ':8080 ; , ! " + %20 | ~ [ ] ー 한국'
  ).split(' ');
  samples.push(' ', '\n', '\u202e', '\u2066', '\u200b', family);
  let state = 26;
  const next = (max: number) => (state = (state * 48_271) % 2_147_483_647) % max;
  for (let turn = 0; turn < 3_000; turn += 1) {
    const text = Array.from({ length: 1 + next(7) }, () => samples[next(samples.length)]).join('');
    expect([text, socialTextCounters.twitter(text)]).toEqual([text, xLength(text)]);
  }
});

test('a text designed to keep the counter busy does not', () => {
  const began = process.cpuUsage();
  for (const text of [
    '日'.repeat(20_000),
    'a.'.repeat(20_000),
    'a-'.repeat(20_000),
    `https://a.com/${'('.repeat(3_000)}`,
  ]) {
    socialTextCounters.twitter(`${text}.`);
  }
  socialTextCounters.mastodon(`@${'a'.repeat(60_000)}`);
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});
