/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createIncomingCall } from '../../tests/fakeCalls.ts';
import { sessionStore } from '../session/session.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { CallPill } from './CallPill.tsx';
import { createStartingCall, type LiveCall } from './model/callPhase.ts';

afterEach(cleanup);

const named = (userId: string, displayName: string) =>
  ({ userId, state: 'joined', user: { id: userId, displayName, profileImageUrl: null } }) as never;

function show(people: string[], change: Partial<LiveCall> = {}) {
  sessionStore.setState({ status: 'signedIn', user: { id: 'me', displayName: 'Me' } as Self });
  const participants = ['Me', ...people].map((name) => named(name.toLowerCase(), name));
  const call = { ...createIncomingCall({ status: 'connected' }), participants };
  const live: LiveCall = { ...createStartingCall(null, 'audio'), call, phase: 'connected', talkingSince: 0, ...change };
  const handlers = { onOpen: jest.fn(), onAnswer: jest.fn(), onEnd: jest.fn(), onLeave: jest.fn() };
  render(<CallPill live={live} media={null} {...handlers} />, { wrapper: testChat().wrapper });
  return handlers;
}

test('a call of two shows the other person’s name, and can be ended from there', async () => {
  const { onEnd } = show(['Amara']);
  expect(screen.getByRole('complementary', { name: 'Call with Amara' }).textContent).toContain('Amara');
  await userEvent.setup().click(screen.getByRole('button', { name: 'End call' }));
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a call of several shows how many they are, and names them to screen readers', () => {
  show(['Amara', 'Jonas']);
  const pill = screen.getByRole('complementary', { name: 'Call with Amara and Jonas' });
  expect(pill.textContent).toContain('3 people');
});

test('an unseen call shows how it ended until it is closed or a moment has passed', async () => {
  const { onLeave } = show(['Amara'], { phase: 'ended', ending: 'disconnected', endedAt: Date.now() });
  expect(screen.getByRole('status').textContent).toBe('Call Disconnected');
  expect(screen.queryByRole('button', { name: 'End call' })).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(onLeave).toHaveBeenCalledTimes(1);
});

test('a call that fails after people have talked reports a lost connection', () => {
  show(['Amara'], { phase: 'ended', ending: 'failed', endedAt: Date.now() - 60_000 });
  expect(screen.getByRole('status').textContent).toBe('The connection was lost');
});

test('a call that ended long ago is closed at once', async () => {
  jest.useFakeTimers();
  const { onLeave } = show(['Amara'], { phase: 'ended', ending: 'disconnected', endedAt: Date.now() - 60_000 });
  await jest.advanceTimersByTimeAsync(0);
  expect(onLeave).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});
