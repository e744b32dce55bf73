import { waveformOf } from './waveform.ts';

test('the loudest of each part stands in its bar, and the loudest of all is full', () => {
  expect(waveformOf([0, 0.1, 0.2, 0.05], 2)).toEqual([50, 100]);
});

test('a short note is stretched over all bars', () => {
  expect(waveformOf([0.2, 0.4], 4)).toEqual([50, 50, 100, 100]);
});

test('silence is flat, and nothing is nothing', () => {
  expect(waveformOf([0, 0], 3)).toEqual([0, 0, 0]);
  expect(waveformOf([], 3)).toEqual([0, 0, 0]);
});
