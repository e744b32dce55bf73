import fc from 'fast-check';
import { encodeTerms, decodeTermIndex, encodeTermIndexWithBlocks } from './termIndex.ts';
import { countTypingErrors, countAllowedErrors } from './typingErrors.ts';

const term = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('a', 'ab', 'abc', '😀', '😁a', 'مدرسة', '学'),
);
const postings = fc.dictionary(term, fc.uniqueArray(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 20 }), {
  noNullPrototype: true,
});

function read(bytes: Uint8Array): Record<string, number[]> {
  const index = decodeTermIndex(bytes);
  return Object.fromEntries(
    index.terms.map((one, place) => {
      const blocks: number[] = [];
      index.eachBlock(place, (block) => blocks.push(block));
      expect(index.countOf(place)).toBe(blocks.length);
      return [one, blocks];
    }),
  );
}

const sorted = (terms: Record<string, number[]>) =>
  new Map(Object.entries(terms).map(([one, blocks]) => [one, blocks.toSorted((a, b) => a - b)]));

test('written terms can be read back', () => {
  fc.assert(
    fc.property(postings, (terms) => {
      const wanted = sorted(terms);
      expect(read(encodeTerms(wanted))).toEqual(Object.fromEntries(wanted));
    }),
  );
});

test('the range of a prefix has every term that starts with it, and no other', () => {
  fc.assert(
    fc.property(postings, term, (terms, start) => {
      const index = decodeTermIndex(encodeTerms(sorted(terms)));
      const [from, to] = index.range(start);
      expect(index.terms.slice(from, to)).toEqual(index.terms.filter((one) => one.startsWith(start)));
    }),
  );
});

test('a changed block has its new terms, and none of the old ones', () => {
  const index = decodeTermIndex(
    encodeTerms(
      new Map([
        ['old', [1, 3]],
        ['gone', [3]],
      ]),
    ),
  );
  const fresh = new Map([
    [3, new Set(['new'])],
    [2, new Set(['old'])],
  ]);
  expect(read(encodeTermIndexWithBlocks(index, fresh))).toEqual({ new: [3], old: [1, 2] });
});

test.each([
  ['meetnig', 'meeting', 1],
  ['meting', 'meeting', 1],
  ['meetin', 'meeting', 0],
  ['mating', 'meeting', Infinity],
  ['congratulatoins', 'congratulations', 1],
  ['congrtulatons', 'congratulations', 2],
])('%s matches %s with %s errors', (typed, word, errors) => {
  expect(countTypingErrors(typed, word, countAllowedErrors(typed.length))).toBe(errors);
});

test('a word matches itself, and one letter more or less is one error at most', () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from('abcdefg')), minLength: 4, maxLength: 20 });
  fc.assert(
    fc.property(word, fc.nat(), (one, at) => {
      const place = at % one.length;
      expect(countTypingErrors(one, one, 2)).toBe(0);
      expect(countTypingErrors(one.slice(0, place) + one.slice(place + 1), one, 2)).toBeLessThanOrEqual(1);
      expect(countTypingErrors(`${one.slice(0, place)}x${one.slice(place)}`, one, 2)).toBeLessThanOrEqual(1);
    }),
  );
});
