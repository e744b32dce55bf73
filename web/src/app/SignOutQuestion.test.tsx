/** @jest-environment jsdom */
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { emptyTimeline } from '../chat/engine/timeline.ts';
import { signOutStore } from '../session/useSignOut.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { SignOutQuestion } from './SignOutQuestion.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  signOutStore.setState({ askedBy: null });
});

function ask(askedBy: 'person' | 'link' = 'person') {
  const made = testChat();
  signOutStore.setState({ askedBy });
  render(<SignOutQuestion />, { wrapper: made.wrapper });
  return { ...made, dialog: screen.getByRole('alertdialog', { name: 'Log out of Nolo?' }) };
}

test('the question says what signing out erases, and what is lost for good', async () => {
  const { dialog, chat, engine } = ask();
  expect(dialog.textContent).toContain('Everything that Nolo keeps on this device is erased');
  expect(dialog.textContent).not.toMatch(/will be lost/);

  act(() => chat.drafts.set('c1', 'half a thought'));
  expect(dialog.textContent).toContain('1 draft will be lost.');
  const unsent = { clientMessageId: 'm1', content: 'Hi', createdAt: 1, state: 'waiting' as const };
  act(() =>
    engine.store.setState(({ timelines }) => ({
      timelines: {
        ...timelines,
        c1: { ...emptyTimeline(0, 0), pending: [unsent, { ...unsent, clientMessageId: 'm2' }] },
      },
    })),
  );
  expect(dialog.textContent).toContain('2 messages have not been sent yet and will be lost.');
});

test('Cancel stays, and a link from outside is named', async () => {
  const { dialog } = ask('link');
  expect(dialog.textContent).toContain('A link from outside Nolo asks for this.');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Cancel' }));
  expect(signOutStore.getState().askedBy).toBeNull();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
