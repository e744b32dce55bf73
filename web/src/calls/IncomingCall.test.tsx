/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createIncomingCall } from '../../tests/fakeCalls.ts';
import { computeNextLiveCall, type LiveCall } from './model/callPhase.ts';
import { sessionStore } from '../session/session.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { IncomingCall } from './IncomingCall.tsx';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

function show(type: 'audio' | 'video', change: Partial<LiveCall> = {}) {
  sessionStore.setState({ status: 'signedIn', user: { id: 'me', displayName: 'Me' } as Self });
  const user = { id: 'you', displayName: 'Amara Dlamini', profileImageUrl: null } as never;
  const live = computeNextLiveCall(null, createIncomingCall({ type }, {}, { user }), {
    selfId: 'me',
    deviceId: 'tab',
    now: 0,
  });
  const handlers = { onAnswer: jest.fn(), onDecline: jest.fn(), onMinimise: jest.fn() };
  render(<IncomingCall live={{ ...live!, ...change }} {...handlers} />, { wrapper: testChat().wrapper });
  return handlers;
}

test('the dialog’s name contains who calls and how, and a video call may be answered without video', async () => {
  const user = userEvent.setup();
  const { onAnswer, onDecline } = show('video');
  const dialog = screen.getByRole('alertdialog');
  expect(dialog.getAttribute('aria-labelledby')).toBeTruthy();
  expect(screen.getByText('Amara Dlamini is calling')).toBeTruthy();
  expect(screen.getByText('Incoming video call')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Answer without video' }));
  await user.click(screen.getByRole('button', { name: 'Answer with video' }));
  expect(onAnswer.mock.calls).toEqual([[false], [true]]);
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  expect(onDecline).toHaveBeenCalledTimes(1);
});

test('a voice call has a single answer button', async () => {
  const user = userEvent.setup();
  const { onAnswer } = show('audio');
  await user.click(screen.getByRole('button', { name: 'Answer' }));
  expect(onAnswer).toHaveBeenCalledWith(false);
  expect(screen.queryByRole('button', { name: 'Answer with video' })).toBeNull();
});

test('Escape minimises the call and does not decline it', async () => {
  const { onMinimise, onDecline } = show('audio');
  await userEvent.setup().keyboard('{Escape}');
  expect(onMinimise).toHaveBeenCalledTimes(1);
  expect(onDecline).not.toHaveBeenCalled();
});

test('someone who is typing keeps the focus, so that their keys answer nothing', async () => {
  const input = document.createElement('input');
  document.body.append(input);
  input.focus();
  const { onAnswer, onMinimise } = show('audio');
  expect(document.activeElement).toBe(input);
  await userEvent.setup().keyboard('hello {Enter}{Escape}');
  expect(onAnswer).not.toHaveBeenCalled();
  expect(onMinimise).not.toHaveBeenCalled();
});

test('the dialog itself takes the focus, and none of its buttons', () => {
  show('audio');
  expect(document.activeElement).toBe(screen.getByRole('alertdialog'));
});

test('pressing twice answers once', async () => {
  const { onAnswer } = show('audio', { answering: true });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Answering...' }));
  expect(onAnswer).not.toHaveBeenCalled();
});
