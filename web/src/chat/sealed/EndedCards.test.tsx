/** @jest-environment jsdom */
import type { Conversation } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SendState } from '@nolo/client/keys/conversations/types';
import { useLocation } from 'react-router-dom';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { testUser } from '../../testing/testMeeting.ts';
import { groupRequestStore } from '../context/groupRequestStore.ts';
import { ReplacedCard } from './EndedCards.tsx';
import { SendNotice } from './SendNotice.tsx';

configure({ defaultHidden: true });
const originalFetch = globalThis.fetch;
const requests: { path: string; body: unknown }[] = [];

/** Answers requests by the end of their path. */
function answer(answers: Record<string, unknown>): void {
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    requests.push({ path: String(path), body: JSON.parse(typeof init?.body === 'string' ? init.body : 'null') });
    const [, body = []] = Object.entries(answers).find(([end]) => String(path).includes(end)) ?? [];
    const text = JSON.stringify(body);
    const [status, statusText, headers] = [200, '', new Headers()];
    const json = () => Promise.resolve(body);
    return Promise.resolve({ ok: true, status, statusText, headers, json, text: () => Promise.resolve(text) });
  }) as unknown as typeof fetch;
}

beforeEach(() => {
  requests.length = 0;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
  groupRequestStore.setState({ newWith: null });
});

const Path = () => <p>{useLocation().pathname}</p>;

async function show(type: 'direct' | 'group', send: SendState, isReplaced = false) {
  const { engine, server, wrapper: Wrapper } = testChat();
  const other = { ...testUser('Ann'), id: 'ann', isBlocked: false, isContact: true };
  const [any] = (await server.api.listConversations()).items;
  const conversation = { ...any, id: 'c1', type, otherUser: type === 'direct' ? other : null } as Conversation;
  const next = { ...conversation, id: 'c2' };
  answer({
    '/members': [
      { userId: 'me', user: { ...testUser('Me'), id: 'me' } },
      { userId: 'ann', user: other },
    ],
    '/api/conversations': next,
  });
  engine.addConversation(conversation);
  engine.store.setState({
    standings: { c1: { send, isSealed: true, epoch: 0, suite: 1, members: [], outsiders: [], timer: 0, lines: [] } },
  });
  const Card = isReplaced ? ReplacedCard : SendNotice;
  render(
    <Wrapper>
      <Card conversation={conversation} name="Ann" />
      <Path />
    </Wrapper>,
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const ended: SendState = { state: 'blocked', reason: 'ended' };

test('a chat with two beginnings says that it ended, and leads to another in its place', async () => {
  await show('direct', ended);
  expect(screen.getByText('This chat has ended')).toBeTruthy();
  await press('Start a new chat');
  await waitFor(() => expect(screen.getByText('/chat/c2')).toBeTruthy());
  expect(requests.at(-1)).toEqual({ path: '/api/conversations', body: { otherUserId: 'ann', replaces: 'c1' } });
});

test('a chat that was replaced leads to the present one, and replaces nothing', async () => {
  await show('direct', ended, true);
  await press('Open the new chat');
  await waitFor(() => expect(screen.getByText('/chat/c2')).toBeTruthy());
  expect(requests.at(-1)?.body).toEqual({ otherUserId: 'ann' });
});

test.each([
  ['This group has ended', ended],
  ['Nobody here can let you in', { state: 'waiting_for_entry', letInBy: [] }],
] as const)('a group without a way on offers another one with its people: %s', async (title, send) => {
  await show('group', send);
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Leave group' })).toBeTruthy();
  await press('Start a new group');
  await waitFor(() => expect(groupRequestStore.getState().newWith?.map(({ id }) => id)).toEqual(['ann']));
});

test('who waits for a member who can let them in is not told that nobody can', async () => {
  await show('group', { state: 'waiting_for_entry', letInBy: ['ann'] });
  expect(screen.queryByText('Nobody here can let you in')).toBeNull();
  expect(screen.getByText(/Waiting until a member lets you in/)).toBeTruthy();
});
