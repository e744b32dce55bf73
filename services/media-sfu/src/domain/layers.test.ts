import { layersFor, type SentLayers } from './layers.ts';

const three = { spatial: 3, temporal: 3 };
const spatialOf = (height: number, sent: SentLayers = three) => layersFor(height, 'camera', sent).spatialLayer;

test('gives a camera tile the lowest layer that looks sharp', () => {
  expect([90, 180, 252].map((height) => spatialOf(height))).toEqual([0, 0, 0]);
  expect([253, 360, 504].map((height) => spatialOf(height))).toEqual([1, 1, 1]);
  expect([505, 720, 2160].map((height) => spatialOf(height))).toEqual([2, 2, 2]);
});

test('spreads the same heights over fewer layers', () => {
  const two = { spatial: 2, temporal: 1, shortSide: 720 };
  expect([180, 504, 505, 1080].map((height) => spatialOf(height, two))).toEqual([0, 0, 1, 1]);
  expect(layersFor(2160, 'camera', { spatial: 1, temporal: 1 })).toEqual({ spatialLayer: 0, temporalLayer: 0 });
});

test('counts the lines that the camera sends', () => {
  const small = { spatial: 2, temporal: 3, shortSide: 360 };
  expect([252, 253, 322].map((height) => spatialOf(height, small))).toEqual([0, 1, 1]);
  expect(spatialOf(322, { spatial: 3, temporal: 3, shortSide: 1_080 })).toBe(0);
  // A sender with two layers that does not report its size has a small camera.
  expect(spatialOf(322, { spatial: 2, temporal: 3 })).toBe(1);
});

test('never upscales a shared screen', () => {
  expect(layersFor(540, 'screen', three).spatialLayer).toBe(1);
  expect(layersFor(541, 'screen', three).spatialLayer).toBe(2);
});

test('gives thumbnails half of the frames', () => {
  expect(layersFor(120, 'camera', three).temporalLayer).toBe(1);
  expect(layersFor(121, 'camera', three).temporalLayer).toBe(2);
});
