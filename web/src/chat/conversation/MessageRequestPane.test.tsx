/** @jest-environment jsdom */
import type { Conversation } from '@nolo/api';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { useChatState } from '../context/chatContext.ts';
import { isMessageRequest } from '@nolo/client/chat/hiding';
import { RequestsList } from '../list/RequestsList.tsx';
import { RequestsRow } from '../list/RequestsRow.tsx';
import { listMessageRequests } from '@nolo/client/chat/chatStore';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { MessageRequestPane } from './MessageRequestPane.tsx';

afterEach(cleanup);

const ada = {
  id: 'you',
  firstName: 'Ada',
  lastName: 'Adams',
  displayName: 'Ada Adams',
  profileImageUrl: '/objects/picture-of-ada',
  statusMessage: 'At sea',
  presenceStatus: 'online',
  isOnline: true,
  isContact: false,
  isBlocked: false,
} as const;

function Shown() {
  const conversations = useChatState((state) => state.conversations);
  const row = conversations['c1'];
  const requests = listMessageRequests(conversations);
  return (
    <Routes>
      <Route
        path="*"
        element={
          <>
            <RequestsRow count={requests.length} onOpen={() => undefined} />
            <RequestsList rows={requests} invitations={[]} onBack={() => undefined} />
            {row && isMessageRequest(row) && <MessageRequestPane conversation={row} />}
          </>
        }
      />
    </Routes>
  );
}

async function show() {
  const { server, engine, wrapper } = testChat();
  server.fromStranger();
  server.store('you', 'Hello, see https://example.org/flat', null);
  const picture = server.store('you', '', null);
  Object.assign(picture, { messageType: 'image', fileUrl: '/objects/picture', mediaInfo: null });
  const row: Conversation = { ...(await server.api.getConversation('c1')), otherUser: ada };
  act(() => engine.addConversation(row));
  render(<Shown />, { wrapper });
  await screen.findByText(/Hello, see/, { selector: 'article' });
  return { server, engine, user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }) };
}

test('shows the text of a stranger, and nothing of theirs that would load or link anywhere', async () => {
  await show();
  expect(screen.getByText('1 message request')).toBeDefined();
  const log = screen.getByRole('log', { name: 'Messages from Ada Adams' });
  expect(
    within(log)
      .getAllByRole('article')
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringContaining('Hello, see https://example.org/flat'),
    expect.stringContaining('Not loaded until you accept'),
  ]);
  expect(within(log).queryAllByRole('link')).toEqual([]);
  expect(document.querySelectorAll('img, video, audio')).toHaveLength(0);
  expect(screen.queryByText('At sea')).toBeNull();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByText(/Until you accept, Ada Adams can’t see/)).toBeDefined();
});

test('is gone once accepted, and reports a failure', async () => {
  const { server, user, engine } = await show();
  server.failNextRequest({});
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(screen.getByRole('log')).toBeDefined());
  expect(engine.store.getState().conversations['c1']?.requestedAt).not.toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(screen.queryByRole('log')).toBeNull());
  expect(within(screen.getByRole('list', { name: 'Message requests' })).queryAllByRole('link')).toEqual([]);
  expect((await server.api.getConversation('c1')).requestedAt).toBeNull();
});

test('is deleted after confirmation, until there is a new message', async () => {
  const { server, user } = await show();
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete the request from Ada Adams?' });
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('log')).toBeNull());
  expect(server.requests).toContain('clearConversation');
});
