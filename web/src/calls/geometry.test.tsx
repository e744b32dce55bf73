/** @jest-environment jsdom */
import { nearestCorner } from './CallVideo.tsx';
import { sparklinePoints } from './QualityDialog.tsx';

test('a line spans the full width, with its highest value at the top', () => {
  expect(sparklinePoints([0, 50, 100], 10)).toBe('0.0,31.0 80.0,16.0 160.0,1.0');
});

test('small values on the scale stay low, and a single value is at the right', () => {
  expect(sparklinePoints([1], 10)).toBe('160.0,28.0');
});

test('a released picture moves to the nearest corner, in reading direction', () => {
  const area = { left: 0, top: 0, width: 100, height: 100 };
  expect(nearestCorner({ x: 80, y: 10 }, area, false)).toEqual({ bottom: false, end: true });
  expect(nearestCorner({ x: 80, y: 10 }, area, true)).toEqual({ bottom: false, end: false });
});
