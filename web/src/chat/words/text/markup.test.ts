import { isMarkupCandidate } from './markup.ts';

test('plain sentences are never parsed', () => {
  for (const text of ['Hello', 'One - two, three.', 'It costs 5.50', 'a+b=c', 'Nine at the gate, then?', '🙂']) {
    expect(isMarkupCandidate(text)).toBe(false);
  }
});

test('emphasis, lists, quotes and named links are parsed', () => {
  for (const text of ['*so*', '`x`', '> said', 'First\n- one', '1. one', '[here](https://example.org)', '~~no~~']) {
    expect(isMarkupCandidate(text)).toBe(true);
  }
});

test('text that would keep the parser busy stays as it is written', () => {
  for (const text of [
    '>'.repeat(5_000),
    '> '.repeat(2_000),
    '- '.repeat(2_000),
    '*'.repeat(5_000),
    '[a]('.repeat(1_000),
    '- a\n'.repeat(200),
    `> a\n${'b\n'.repeat(500)}`,
    '*a _b '.repeat(1_000),
    `*${'a'.repeat(10_000)}*`,
  ]) {
    expect(isMarkupCandidate(text)).toBe(false);
  }
});
