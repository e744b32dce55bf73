import { countIfEmojiOnly } from './emojiOnly.ts';

test.each([
  ['👍', 1],
  ['🎉 🎉\n🎉', 3],
  ['👩‍👩‍👧‍👦', 1],
  ['🇿🇦', 1],
  ['❤️', 1],
  ['👍🏽', 1],
  ['ok 👍', 0],
  ['123', 0],
  ['', 0],
  ['👍'.repeat(6), 0],
  ['a'.repeat(50_000), 0],
])('%j has %i emoji', (text, count) => {
  expect(countIfEmojiOnly(text)).toBe(count);
});
