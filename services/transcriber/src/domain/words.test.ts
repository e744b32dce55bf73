import { limits } from '@nolo/rules';
import { normalizeTranscript } from './words.ts';

test('text becomes one line without control characters', () => {
  expect(normalizeTranscript('\n  Hello,\r\n\u0000 world. \u001b ')).toBe('Hello, world.');
  expect(normalizeTranscript(' \n')).toBe('');
  expect(normalizeTranscript('日本語 and émigré 👋')).toBe('日本語 and émigré 👋');
});

test.each(['a', 'é', '語', '👋'])('text fits in a message, and no %s is cut in half', (character) => {
  const words = normalizeTranscript(character.repeat(70_000));
  expect(Buffer.byteLength(words)).toBeLessThanOrEqual(limits.messageContentBytes);
  expect(words.isWellFormed()).toBe(true);
  expect(words.length).toBeGreaterThan(16_000);
});
