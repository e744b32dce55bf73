/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { beginPress } from './recordPress.ts';

let now = 0;
const fire = (type: string, clientX = 300, pointerId = 1) =>
  dispatchEvent(Object.assign(new Event(type), { clientX, pointerId }));
const follower = () => ({ onMove: jest.fn(), onCancel: jest.fn(), onRelease: jest.fn() });
const press = () => {
  now = 0;
  return beginPress(300, 1, () => now);
};

test('a click leaves it recording', () => {
  const begun = press();
  const told = follower();
  begun.follow(told);
  now = 200;
  fire('pointerup');
  expect(told.onRelease).not.toHaveBeenCalled();
  expect(begun.held).toBe(false);
});

test('held and let go sends it, also where what records came later', () => {
  const begun = press();
  now = 900;
  fire('pointerup', 300, 2);
  fire('pointerup');
  const told = follower();
  begun.follow(told);
  expect(told.onRelease).toHaveBeenCalledTimes(1);
});

test('to the side it is thrown away, and letting go after that does nothing', () => {
  const begun = press();
  const told = follower();
  begun.follow(told);
  fire('pointermove', 255);
  expect(told.onMove).toHaveBeenLastCalledWith(0.5);
  fire('pointermove', 200);
  now = 900;
  fire('pointerup', 200);
  expect(told.onCancel).toHaveBeenCalledTimes(1);
  expect(told.onRelease).not.toHaveBeenCalled();
});

test('a pointer that the browser takes away leaves it recording', () => {
  const begun = press();
  const told = follower();
  begun.follow(told);
  now = 900;
  fire('pointercancel');
  expect(told.onRelease).not.toHaveBeenCalled();
  expect(begun.held).toBe(false);
});
