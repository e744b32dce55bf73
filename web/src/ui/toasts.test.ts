import { jest } from '@jest/globals';
import { createToasts, toastRemoveDelayMs } from './toasts.ts';

// Dismissed toasts are kept for longer than tests should wait.
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a failure after the end of a session does not replace its toast', () => {
  const { getState } = createToasts();
  const ended = getState().show({ title: 'Unauthorized', last: true });
  getState().show({ kind: 'error', title: 'Failed to update profile' });
  expect(getState().toasts.map(({ title }) => title)).toEqual(['Unauthorized']);
  getState().dismiss(ended);
  getState().show({ title: 'Profile Updated' });
  expect(getState().toasts[0]?.title).toBe('Profile Updated');
});

test('a dismissed toast stays for a while, and is then forgotten', () => {
  const { getState } = createToasts();
  getState().dismiss(getState().show({ title: 'Profile Updated' }));
  jest.advanceTimersByTime(toastRemoveDelayMs - 1);
  expect(getState().toasts).toMatchObject([{ title: 'Profile Updated', open: false }]);
  jest.advanceTimersByTime(1);
  expect(getState().toasts).toEqual([]);
});
