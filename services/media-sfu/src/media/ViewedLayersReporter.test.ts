import { ViewedLayersReporter } from './ViewedLayersReporter.ts';

const { jest } = import.meta;
const fewerAfterMs = 5000;

function sender() {
  const layerRequests: number[] = [];
  const layers = new ViewedLayersReporter({
    all: 3,
    fewerAfterMs,
    publishNodeEvent: (count) => layerRequests.push(count),
  });
  return { layers, layerRequests };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a video without viewers stops being requested after a while', () => {
  const { layerRequests } = sender();
  jest.advanceTimersByTime(fewerAfterMs - 1);
  expect(layerRequests).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(layerRequests).toEqual([0]);
});

test('more layers are requested at once, fewer only after a delay', () => {
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

test('turning the page and back changes nothing', () => {
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

test('a closed sender is not notified', () => {
  const { layers, layerRequests } = sender();
  layers.close();
  jest.advanceTimersByTime(fewerAfterMs * 2);
  expect(layerRequests).toEqual([]);
});
