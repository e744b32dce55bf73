import { toFullyQualifiedEmoji } from './emoji.ts';

test.each([
  ['❤', '❤️'],
  ['❤️', '❤️'],
  ['❤︎', '❤️'],
  ['👍', '👍'],
  ['👍️', '👍'],
  ['👍🏽', '👍🏽'],
  ['☝🏽', '☝🏽'],
  ['☝', '☝️'],
  ['1⃣', '1️⃣'],
  ['🤷🏽‍♂', '🤷🏽‍♂️'],
  ['🏳‍🌈', '🏳️‍🌈'],
  ['👁‍🗨', '👁️‍🗨️'],
  ['❤‍🔥', '❤️‍🔥'],
  ['🇿🇦', '🇿🇦'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('%s is written as %s', (emoji, full) => {
  expect(toFullyQualifiedEmoji(emoji)).toBe(full);
});
