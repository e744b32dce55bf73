/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createEmptyTimeline } from '@nolo/client/chat/timeline';
import { signOutRequestStore } from '../session/useRequestSignOut.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { SignOutQuestion } from './SignOutQuestion.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  signOutRequestStore.setState({ requestedBy: null });
});

function renderQuestion(requestedBy: 'person' | 'link' = 'person') {
  const made = testChat();
  signOutRequestStore.setState({ requestedBy });
  render(<SignOutQuestion />, { wrapper: made.wrapper });
  return { ...made, dialog: screen.getByRole('alertdialog', { name: 'Log out of Nolo?' }) };
}

test('the question names what signing out erases, and what is lost permanently', async () => {
  const { dialog, chat, engine } = renderQuestion();
  expect(dialog.textContent).toContain('This erases everything Nolo keeps on this device.');
  expect(dialog.textContent).not.toMatch(/will be lost/);

  act(() => chat.drafts.set('c1', 'half a thought'));
  expect(dialog.textContent).toContain('1 draft will be lost.');
  const unsent = { clientMessageId: 'm1', content: 'Hi', createdAt: 1, state: 'waiting' as const };
  act(() =>
    engine.store.setState(({ timelines }) => ({
      timelines: {
        ...timelines,
        c1: { ...createEmptyTimeline(0, 0), pending: [unsent, { ...unsent, clientMessageId: 'm2' }] },
      },
    })),
  );
  expect(dialog.textContent).toContain('2 unsent messages or status updates will be lost.');
});

test('the question stays without a connection, and names what it needs', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { dialog } = renderQuestion();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Log out' }));
  expect(dialog.textContent).toContain('You need to be online to log out.');
  onLine.mockRestore();
});

test('Cancel closes the question, and a link from outside is named', async () => {
  const { dialog } = renderQuestion('link');
  expect(dialog.textContent).toContain('A link from outside Nolo opened this.');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Cancel' }));
  expect(signOutRequestStore.getState().requestedBy).toBeNull();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
