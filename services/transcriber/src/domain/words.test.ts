import { limits } from '@nolo/rules';
import { tidyWords } from './words.ts';

test('words are one line without anything that is not written', () => {
  expect(tidyWords('\n  Hello,\r\n\u0000 world. \u001b ')).toBe('Hello, world.');
  expect(tidyWords(' \n')).toBe('');
  expect(tidyWords('日本語 and émigré 👋')).toBe('日本語 and émigré 👋');
});

test.each(['a', 'é', '語', '👋'])('a message has room for them, and no %s is cut in two', (character) => {
  const words = tidyWords(character.repeat(70_000));
  expect(Buffer.byteLength(words)).toBeLessThanOrEqual(limits.messageContentBytes);
  expect(words.isWellFormed()).toBe(true);
  expect(words.length).toBeGreaterThan(16_000);
});
