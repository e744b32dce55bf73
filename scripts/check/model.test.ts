import { readJavaVersion } from './alloy.ts';
import { findModelGaps, findWrongResults, readCommands } from './model.ts';

const model = `
abstract sig Rule {}
one sig Signed, Listed,
  Kept extends Rule {}

example: run {
  no Off and some List
} for 4 but 6 Age expect 1

ghost: check { no Off implies noGhost } for 4 expect 0
ghostWithoutSigned: check { Off = Signed implies noGhost } for 4 expect 1
ghostWithoutBoth: check { Off = Listed + Kept implies noGhost } for 4 expect 1
`;

test('reads commands, also those of several lines', () => {
  expect(readCommands(model)).toEqual([
    { name: 'example', kind: 'run', expectsInstance: true, off: [] },
    { name: 'ghost', kind: 'check', expectsInstance: false, off: [] },
    { name: 'ghostWithoutSigned', kind: 'check', expectsInstance: true, off: ['Signed'] },
    { name: 'ghostWithoutBoth', kind: 'check', expectsInstance: true, off: ['Listed', 'Kept'] },
  ]);
});

test('finds rules that no check needs alone', () => {
  expect(findModelGaps(model)).toEqual(
    ['Listed', 'Kept'].map((rule) => `no check with “expect 1” turns off ${rule}, so nothing shows that it is needed.`),
  );
});

test('finds commands without an expectation, and models without an example', () => {
  expect(findModelGaps('ghost: check { no Off implies noGhost } for 4')).toEqual([
    'ghost lacks “expect 0” or “expect 1”.',
    'no run has “expect 1”, so the model may describe nothing.',
  ]);
});

test('compares what Alloy found with what the model expects', () => {
  const found = { solution: [{}] };
  expect(
    findWrongResults(readCommands(model), {
      commands: { example: found, ghost: {}, ghostWithoutSigned: found, ghostWithoutBoth: found },
    }),
  ).toEqual([]);
  expect(
    findWrongResults(readCommands(model), { commands: { example: {}, ghost: found, ghostWithoutSigned: {} } }),
  ).toEqual([
    'example has no instance.',
    'ghost has a counterexample.',
    'ghostWithoutSigned has no counterexample, although a rule is off.',
    'ghostWithoutBoth did not run.',
  ]);
});

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_402"', 8],
  ['openjdk version "25" 2025-09-16', 25],
  ['no such file', undefined],
])('reads the version of Java from %s', (output, version) => {
  expect(readJavaVersion(output)).toBe(version);
});
