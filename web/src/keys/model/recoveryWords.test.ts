import { choosePositions, readWords } from './recoveryWords.ts';

test('words are read without their numbers, in any case and spacing', () => {
  expect(readWords(' 1. Abandon\n2) ability,  able ')).toEqual(['abandon', 'ability', 'able']);
});

test('three different positions are asked for, in order', () => {
  const numbers = [0.9, 0.9, 0.1, 0.5];
  expect(choosePositions(() => numbers.shift() ?? 0)).toEqual([2, 12, 21]);
});
