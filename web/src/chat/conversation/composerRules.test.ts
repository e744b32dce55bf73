import { limits } from '@nolo/rules';
import { bytesLeft, maySend } from './composerRules.ts';

test('the counter shows only near the limit, and counts bytes', () => {
  expect(bytesLeft('hello')).toBeNull();
  expect(bytesLeft('a'.repeat(limits.messageContentBytes - 10))).toBe(10);
  expect(bytesLeft('é'.repeat(limits.messageContentBytes / 2 + 1))).toBe(-2);
});

test('blank and too long texts are not sent', () => {
  expect(maySend(' \n\u200b')).toBe(false);
  expect(maySend('a')).toBe(true);
  expect(maySend('a'.repeat(limits.messageContentBytes))).toBe(true);
  expect(maySend('a'.repeat(limits.messageContentBytes + 1))).toBe(false);
});
