import { jest } from '@jest/globals';
import { callRequestStore, requestCallSoon, cancelCallRequest, cancelWindowMs } from './callRequests.ts';

const target = { conversationId: 'c1' };
const wanted = () => callRequestStore.getState().wanted;

beforeEach(() => {
  jest.useFakeTimers();
  callRequestStore.setState({ wanted: null, busy: false });
});
afterEach(() => jest.useRealTimers());

test('a call from a list starts after a moment, and can be cancelled until then', () => {
  const onRequested = jest.fn();
  requestCallSoon(target, 'audio', onRequested);
  jest.advanceTimersByTime(cancelWindowMs - 1);
  expect(wanted()).toBeNull();
  expect(cancelCallRequest(target, 'audio')).toBe(true);
  jest.advanceTimersByTime(cancelWindowMs);
  expect(wanted()).toBeNull();
  expect(onRequested).not.toHaveBeenCalled();

  requestCallSoon(target, 'video', onRequested);
  jest.advanceTimersByTime(cancelWindowMs);
  expect(wanted()).toEqual({ target, type: 'video' });
  expect(onRequested).toHaveBeenCalledTimes(1);
  expect(cancelCallRequest(target, 'video')).toBe(false);
});

test('the last of two calls requested within a moment rings', () => {
  requestCallSoon(target, 'audio', () => undefined);
  requestCallSoon({ userId: 'ben' }, 'audio', () => undefined);
  jest.advanceTimersByTime(cancelWindowMs);
  expect(wanted()).toEqual({ target: { userId: 'ben' }, type: 'audio' });
});
