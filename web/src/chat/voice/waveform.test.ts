import { toWaveform } from './waveform.ts';

test('each bar shows the loudest point of its part, and the loudest of all is full', () => {
  expect(toWaveform([0, 0.1, 0.2, 0.05], 2)).toEqual([50, 100]);
});

test('a short note is stretched across all bars', () => {
  expect(toWaveform([0.2, 0.4], 4)).toEqual([50, 50, 100, 100]);
});

test('silence is flat, and so is an empty recording', () => {
  expect(toWaveform([0, 0], 3)).toEqual([0, 0, 0]);
  expect(toWaveform([], 3)).toEqual([0, 0, 0]);
});
