/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { beginPress } from './recordPress.ts';

let now = 0;
/* `timeStamp` is when an event occurred, which may be long before it is handled. */
const fire = (type: string, clientX = 300, pointerId = 1) => {
  const event = Object.assign(new Event(type), { clientX, pointerId });
  Object.defineProperty(event, 'timeStamp', { value: now });
  dispatchEvent(event);
};
const follower = () => ({ onMove: jest.fn(), onCancel: jest.fn(), onLoose: jest.fn(), onRelease: jest.fn() });
const press = () => {
  now = 0;
  return beginPress({ clientX: 300, pointerId: 1, timeStamp: now });
};

test('a click keeps recording', () => {
  const begun = press();
  const callbacks = follower();
  begun.follow(callbacks);
  now = 200;
  fire('pointerup');
  expect(callbacks.onRelease).not.toHaveBeenCalled();
  expect(callbacks.onLoose).toHaveBeenCalledTimes(1);
  expect(begun.isHeldDown).toBe(false);
});

test('holding and releasing sends the recording, even if the recorder started later', () => {
  const begun = press();
  now = 900;
  fire('pointerup', 300, 2);
  fire('pointerup');
  const callbacks = follower();
  begun.follow(callbacks);
  expect(callbacks.onRelease).toHaveBeenCalledTimes(1);
});

test('dragging aside discards the recording, and releasing after that does nothing', () => {
  const begun = press();
  const callbacks = follower();
  begun.follow(callbacks);
  fire('pointermove', 255);
  expect(callbacks.onMove).toHaveBeenLastCalledWith(0.5);
  fire('pointermove', 200);
  now = 900;
  fire('pointerup', 200);
  expect(callbacks.onCancel).toHaveBeenCalledTimes(1);
  expect(callbacks.onRelease).not.toHaveBeenCalled();
});

test('a pointer that the browser cancels keeps recording', () => {
  const begun = press();
  const callbacks = follower();
  begun.follow(callbacks);
  now = 900;
  fire('pointercancel');
  expect(callbacks.onRelease).not.toHaveBeenCalled();
  expect(begun.isHeldDown).toBe(false);
});
