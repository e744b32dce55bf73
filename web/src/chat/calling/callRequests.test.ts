import { jest } from '@jest/globals';
import { callRequests, requestCallSoon, takeBackCall, takeBackMs } from './callRequests.ts';

const target = { conversationId: 'c1' };
const wanted = () => callRequests.getState().wanted;

beforeEach(() => {
  jest.useFakeTimers();
  callRequests.setState({ wanted: null, busy: false });
});
afterEach(() => jest.useRealTimers());

test('a call from a list is asked for after a moment, and can be taken back until then', () => {
  const onAsked = jest.fn();
  requestCallSoon(target, 'audio', onAsked);
  jest.advanceTimersByTime(takeBackMs - 1);
  expect(wanted()).toBeNull();
  expect(takeBackCall(target, 'audio')).toBe(true);
  jest.advanceTimersByTime(takeBackMs);
  expect(wanted()).toBeNull();
  expect(onAsked).not.toHaveBeenCalled();

  requestCallSoon(target, 'video', onAsked);
  jest.advanceTimersByTime(takeBackMs);
  expect(wanted()).toEqual({ target, type: 'video' });
  expect(onAsked).toHaveBeenCalledTimes(1);
  expect(takeBackCall(target, 'video')).toBe(false);
});

test('of two that are asked for in a moment the last one rings', () => {
  requestCallSoon(target, 'audio', () => undefined);
  requestCallSoon({ userId: 'ben' }, 'audio', () => undefined);
  jest.advanceTimersByTime(takeBackMs);
  expect(wanted()).toEqual({ target: { userId: 'ben' }, type: 'audio' });
});
