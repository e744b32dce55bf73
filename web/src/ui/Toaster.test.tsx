/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { toast, toastDurationMs, toastRemoveDelayMs, toasts } from './toasts.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { Toaster } from './Toaster.tsx';

beforeEach(() => {
  jest.useFakeTimers();
  toasts.setState({ toasts: [] });
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function show(request: Parameters<typeof toast>[0]): void {
  act(() => {
    toast(request);
  });
}

test('shows title and description', () => {
  render(<Toaster />, { wrapper: TestProviders });
  show({ kind: 'error', title: 'Phone number required', description: 'Please enter a valid phone number' });
  expect(screen.getByText('Phone number required')).toBeTruthy();
  expect(screen.getByText('Please enter a valid phone number')).toBeTruthy();
});

test('a new toast replaces the previous one', () => {
  render(<Toaster />, { wrapper: TestProviders });
  show({ title: 'First' });
  show({ title: 'Second' });
  expect(screen.queryByText('First')).toBeNull();
  expect(screen.getByText('Second')).toBeTruthy();
});

test('disappears after five seconds and is forgotten 1,000,000 ms later', () => {
  render(<Toaster />, { wrapper: TestProviders });
  show({ title: 'Contact Added' });
  act(() => jest.advanceTimersByTime(toastDurationMs - 1));
  expect(screen.queryByText('Contact Added')).not.toBeNull();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByText('Contact Added')).toBeNull();
  expect(toasts.getState().toasts).toHaveLength(1);
  act(() => jest.advanceTimersByTime(toastRemoveDelayMs));
  expect(toasts.getState().toasts).toHaveLength(0);
});

test('screen readers announce a notification, and the key that leads to all of them', () => {
  render(<Toaster />, { wrapper: TestProviders });
  show({ title: 'Copied!' });
  act(() => jest.advanceTimersByTime(100));
  expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toBeTruthy();
  expect(document.body.textContent).toContain('Notification Copied!');
  expect(document.body.innerHTML).not.toContain('{hotkey}');
});

test('F8 moves focus to the notifications', () => {
  render(<Toaster />, { wrapper: TestProviders });
  show({ title: 'Copied!' });
  act(() => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8', code: 'F8', bubbles: true }));
  });
  expect(document.activeElement?.tagName).toBe('OL');
});
