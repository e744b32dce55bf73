/** @jest-environment jsdom */
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useChatState } from '../context/chatContext.ts';
import { isMuted } from '@nolo/client/chat/chatStore';
import { countUnread } from '@nolo/client/chat/countUnread';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { RowMenu } from './RowMenu.tsx';

afterEach(cleanup);

const hourMs = 3_600_000;

function Menu() {
  const conversation = useChatState((state) => state.conversations['c1']);
  const menu = { id: 'c1', x: 0, y: 0, origin: document.body };
  return conversation ? (
    <RowMenu conversation={conversation} menu={menu} onTidy={() => undefined} onClose={() => undefined} />
  ) : null;
}

async function show() {
  const chat = testChat();
  chat.server.store('you', 'Hello', null);
  const row = await chat.server.api.getConversation('c1');
  act(() => chat.engine.addConversation(row));
  render(<Menu />, { wrapper: chat.wrapper });
  const rows = () => Object.values(chat.engine.store.getState().conversations);
  return { ...chat, count: () => countUnread(rows(), Date.now()), row: () => rows()[0]! };
}

test.each([
  ['For 8 hours', 8 * hourMs],
  ['For a week', 7 * 24 * hourMs],
  ['Until I change it', 365 * 24 * hourMs],
])('a muted conversation (%s) is not counted in the title, and an unmuted one is', async (choice, lastsMs) => {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  const { count, row, server } = await show();
  expect(count()).toBe(1);
  await user.click(screen.getByRole('menuitem', { name: choice }));
  await waitFor(() => expect(count()).toBe(0));
  expect(isMuted(row(), Date.now() + lastsMs - 60_000)).toBe(true);
  expect((await server.api.getConversation('c1')).mutedUntil).toBe(row().mutedUntil);

  await user.click(screen.getByRole('menuitem', { name: 'Unmute' }));
  await waitFor(() => expect(count()).toBe(1));
});
