/** @jest-environment jsdom */
import type { Conversation } from '@nolo/api';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { callRequestStore } from '../calling/callRequests.ts';
import { featureStore } from '../../session/features.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { createEmptyTimeline } from '@nolo/client/chat/timeline';
import { ConversationRow } from './ConversationRow.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  featureStore.setState({ features: {} });
  callRequestStore.setState({ wanted: null });
});

const person = {
  id: 'you',
  firstName: 'Amara',
  lastName: 'Dlamini',
  displayName: 'Amara Dlamini',
  profileImageUrl: null,
  statusMessage: '',
  presenceStatus: 'online' as const,
  isOnline: true,
  isContact: true,
  isBlocked: false,
};

async function renderRow(
  prepare: (chat: ReturnType<typeof testChat>) => void,
  current = false,
  more: Partial<Conversation> = {},
) {
  const chat = testChat();
  prepare(chat);
  const row: Conversation = { ...(await chat.server.api.getConversation('c1')), otherUser: person, ...more };
  chat.engine.addConversation(row);
  render(<ConversationRow conversation={row} current={current} tabStop />, { wrapper: chat.wrapper });
  return { ...chat, link: screen.getByRole('link') };
}

test('a row shows name, presence, last message and unread count', async () => {
  const { link } = await renderRow(({ server }) => {
    server.store('you', 'See\n you  there', null);
    server.store('you', 'At nine', null);
  });
  expect(link.getAttribute('href')).toBe('/chat/c1');
  expect(link.textContent).toContain('Amara Dlamini');
  expect(link.textContent).toContain('At nine');
  expect(screen.getByRole('img', { name: 'Online' })).toBeTruthy();
  expect(screen.getByText('2 unread messages')).toBeTruthy();
  expect(link.querySelector('time')?.title).toContain('2023');
});

test('a mention shows next to the count, and the delivery state before the person’s own message', async () => {
  await renderRow(({ server }) => void server.store('you', '@me', null), false, { mentionSeq: 1 });
  expect(screen.getByText('you were mentioned')).toBeTruthy();
  cleanup();
  await renderRow(({ server }) => {
    server.store('me', 'On my way', null);
    server.receipt(1, 1);
  });
  expect(screen.getByRole('img', { name: 'Read' })).toBeTruthy();
});

test('the person’s own messages are labelled, and deleted ones are gone', async () => {
  const own = await renderRow(({ server }) => void server.store('me', 'On my way', null));
  expect(own.link.textContent).toContain('You: On my way');
  cleanup();
  const deleted = await renderRow(({ server }) => {
    server.store('me', 'On my way', null);
    server.change('m1', { content: '', deletedAt: '2026-01-01T00:00:00.000Z' });
  });
  expect(deleted.link.textContent).toContain('Message deleted');
  expect(deleted.link.textContent).not.toContain('You:');
});

test('a conversation without messages shows a hint, and the open one is marked', async () => {
  const { link } = await renderRow(() => {}, true);
  expect(link.textContent).toContain('No messages yet');
  expect(link.getAttribute('aria-current')).toBe('page');
});

test('typing is shown live in place of a draft', async () => {
  const { chat, engine, link } = await renderRow(() => {});
  act(() => chat.drafts.set('c1', 'half a thought'));
  expect(link.textContent).toContain('Draft: half a thought');
  act(() => engine.store.setState({ typing: { c1: { you: Date.now() + 5_000 } } }));
  expect(link.textContent).toContain('typing...');
});

test('a message waiting for the connection shows its icon, and then counts as sent', async () => {
  const { engine, link } = await renderRow(({ server }) => void server.store('you', 'At nine', null));
  const pending = { clientMessageId: 'p1', content: 'On my way', createdAt: Date.now(), state: 'waiting' as const };
  const setPending = (change: object) =>
    act(() => {
      const timeline = { ...createEmptyTimeline(0, 0), pending: [{ ...pending, ...change }] };
      engine.store.setState({ timelines: { c1: timeline } });
    });
  setPending({});
  expect(link.textContent).toContain('You: On my way');
  expect(screen.getByRole('img', { name: 'Waiting for connection' })).toBeTruthy();
  setPending({ state: 'failed' });
  expect(link.textContent).toContain('Not sentYou: On my way');
  act(() => engine.store.setState({ timelines: { c1: createEmptyTimeline(0, 0) } }));
  expect(link.textContent).toContain('At nine');
});

test('people are not shown as online without a connection', async () => {
  const { engine } = await renderRow(({ server }) => void server.store('you', 'At nine', null));
  expect(screen.getByRole('img', { name: 'Online' })).toBeTruthy();
  act(() => engine.store.setState({ connection: 'waiting' }));
  expect(screen.queryByRole('img', { name: 'Online' })).toBeNull();
});

const group = { type: 'group', name: 'Hikers', otherUser: null, memberCount: 3 } as const;
const traits = (callSince: string | null) =>
  ({ isPublic: false, maxMembers: 100, roomCode: null, callSince }) as Conversation['group'];

test('a group is called from its row with one press, as a person is', async () => {
  featureStore.setState({ features: { calls: true } });
  await renderRow(({ engine }) => engine.store.setState({ connection: 'open' }), false, {
    ...group,
    group: traits(null),
  });
  expect(screen.getByRole('button', { name: 'Voice call with Hikers' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Video call with Hikers' })).toBeTruthy();
  expect(screen.queryByRole('img', { name: 'Call in progress' })).toBeNull();
});

test('an ongoing group call shows in its row, and is joined from there at once', async () => {
  featureStore.setState({ features: { calls: true } });
  const call = { ...group, id: 'g1', group: traits('2026-11-29T12:00:00.000Z') };
  await renderRow(({ engine }) => engine.store.setState({ connection: 'open' }), false, call);
  expect(screen.getByRole('img', { name: 'Call in progress' })).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Join the call in Hikers with voice' }));
  expect(callRequestStore.getState().wanted).toEqual({ target: { groupId: 'g1' }, type: 'audio' });
});

test('join requests show in the row of a group for admins, and disappear once answered', async () => {
  const groupWithRequests = { ...group, myRole: 'admin', requestCount: 2 } as const;
  await renderRow(() => {}, false, groupWithRequests);
  expect(screen.getByText('2 people want to join')).toBeTruthy();
  cleanup();
  await renderRow(() => {}, false, { ...groupWithRequests, requestCount: 0 });
  expect(screen.queryByText(/to join/)).toBeNull();
  cleanup();
  await renderRow(() => {}, false, { ...groupWithRequests, myRole: 'member' });
  expect(screen.queryByText(/to join/)).toBeNull();
});
