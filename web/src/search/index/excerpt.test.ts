import { excerptOf } from './excerpt.ts';

const shown = (text: string, word: string, before?: number) => {
  const at = text.indexOf(word);
  const { excerpt, highlights } = excerptOf(text, [[at, at + word.length]], before);
  return [excerpt, highlights.map(([from, to]) => excerpt.slice(from, to))];
};

test('some words are shown before the match', () => {
  expect(shown('We meet at the old harbour at nine', 'nine')).toEqual(['We meet at the old harbour at nine', ['nine']]);
  expect(shown('We meet at the old harbour at nine', 'nine', 16)).toEqual(['…old harbour at nine', ['nine']]);
  expect(shown('nine at the gate', 'nine', 16)).toEqual(['nine at the gate', ['nine']]);
});

test('the end of a long word before the match is shown rather than nothing', () => {
  const [excerpt, highlights] = shown(`${'x'.repeat(60)} nine`, 'nine', 16);
  expect([excerpt, highlights]).toEqual([`…${'x'.repeat(15)} nine`, ['nine']]);
});

test('an excerpt of an excerpt starts with one ellipsis, and cuts no emoji', () => {
  const long = `${'word '.repeat(30)}nine`;
  const at = long.indexOf('nine');
  const once = excerptOf(long, [[at, at + 4]]);
  const twice = excerptOf(once.excerpt, once.highlights, 16);
  expect(twice.excerpt).toBe('…word word word nine');
  expect(excerptOf(`${'😀'.repeat(30)}nine`, [[60, 64]], 15).excerpt).toBe(`…${'😀'.repeat(8)}nine`);
});
