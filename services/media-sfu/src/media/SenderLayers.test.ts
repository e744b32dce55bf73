import { SenderLayers } from './SenderLayers.ts';

const { jest } = import.meta;
const fewerAfterMs = 5000;

function sender() {
  const layerRequests: number[] = [];
  const layers = new SenderLayers({ all: 3, fewerAfterMs, publishNodeEvent: (count) => layerRequests.push(count) });
  return { layers, layerRequests };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a video that nobody looks at is asked for no more after a while', () => {
  const { layerRequests } = sender();
  jest.advanceTimersByTime(fewerAfterMs - 1);
  expect(layerRequests).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(layerRequests).toEqual([0]);
});

test('more is asked for at once, fewer only when that has lasted', () => {
  const { layers, layerRequests } = sender();
  layers.want(1);
  jest.advanceTimersByTime(fewerAfterMs);
  layers.want(3);
  expect(layerRequests).toEqual([1, 3]);
  layers.want(2);
  jest.advanceTimersByTime(fewerAfterMs - 1);
  layers.want(0);
  jest.advanceTimersByTime(fewerAfterMs - 1);
  expect(layerRequests).toEqual([1, 3]);
  jest.advanceTimersByTime(1);
  expect(layerRequests).toEqual([1, 3, 0]);
});

test('who turns the page and comes back changes nothing', () => {
  const { layers, layerRequests } = sender();
  layers.want(3);
  for (let round = 0; round < 5; round += 1) {
    layers.want(0);
    jest.advanceTimersByTime(fewerAfterMs - 1);
    layers.want(3);
  }
  jest.advanceTimersByTime(fewerAfterMs * 2);
  expect(layerRequests).toEqual([]);
});

test('one that has ended is told nothing', () => {
  const { layers, layerRequests } = sender();
  layers.close();
  jest.advanceTimersByTime(fewerAfterMs * 2);
  expect(layerRequests).toEqual([]);
});
