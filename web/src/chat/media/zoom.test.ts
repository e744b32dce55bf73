import { fittingZoom, fitSize, clampZoom, maxZoom, zoomAt } from './zoom.ts';

const window = { width: 1_000, height: 600 };

test('a picture fits the window, and is never larger than its own size', () => {
  expect(fitSize({ width: 4_000, height: 2_000 }, window)).toEqual({ width: 1_000, height: 500 });
  expect(fitSize({ width: 100, height: 80 }, window)).toEqual({ width: 100, height: 80 });
});

test('the point under the pointer stays in place', () => {
  const zoom = zoomAt(fittingZoom, 2, { x: 100, y: -50 });
  expect(zoom).toEqual({ scale: 2, x: -100, y: 50 });
  expect(zoomAt(zoom, 0.5, { x: 100, y: -50 })).toEqual(fittingZoom);
});

test('a picture moves neither beyond its edges nor beyond the zoom limits', () => {
  const picture = { width: 1_000, height: 500 };
  expect(clampZoom({ scale: 2, x: 900, y: -900 }, picture, window)).toEqual({ scale: 2, x: 500, y: -200 });
  expect(clampZoom({ scale: 0.2, x: 30, y: 30 }, picture, window)).toEqual(fittingZoom);
  expect(zoomAt(fittingZoom, 100, { x: 0, y: 0 }).scale).toBe(maxZoom);
});
