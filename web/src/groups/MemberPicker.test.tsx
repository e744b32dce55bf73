/** @jest-environment jsdom */
import type { Conversation, User } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { testUser } from '../testing/testMeeting.ts';
import { MemberPicker } from './MemberPicker.tsx';

const originalFetch = globalThis.fetch;
beforeEach(() => {
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn(async () => ({
    ok: true,
    status: 200,
    headers: new Headers(),
    text: async () => '[]',
    json: async () => [],
  })) as never;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

async function show(withStrangers: boolean, stranger = 'Accepted Stranger') {
  const { server, engine, wrapper } = testChat();
  const row = await server.api.getConversation('c1');
  const lastMessage = { ...server.store('you', 'Hello', null), timestamp: row.createdAt };
  const add = (id: string, name: string, more: Partial<Conversation> = {}, user: Partial<User> = {}) =>
    engine.addConversation({
      ...row,
      id,
      lastMessage,
      otherUser: { ...testUser(name), id: `user ${id}`, isContact: false, isBlocked: false, ...user } as User,
      ...more,
    });
  add('a', stranger);
  add('b', 'Waiting Stranger', { requestedAt: row.createdAt });
  add('c', 'Blocked Stranger', {}, { isBlocked: true });
  render(<MemberPicker chosen={[]} onChange={() => {}} excluded={new Set()} withStrangers={withStrangers} />, {
    wrapper,
  });
}

test('a stranger whose message request was accepted can be selected, and no other stranger', async () => {
  await show(true);
  expect(await screen.findByRole('checkbox', { name: 'Accepted Stranger' })).toBeTruthy();
  expect(screen.getAllByRole('checkbox')).toHaveLength(1);
  const user = userEvent.setup();
  await user.type(screen.getByRole('searchbox'), 'accepted');
  expect(await screen.findByRole('checkbox', { name: 'Accepted Stranger' })).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), ' nobody');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a stranger is found by letters that only look different', async () => {
  await show(true, 'Café Özil');
  const user = userEvent.setup();
  await user.type(screen.getByRole('searchbox'), 'cafe\u0301 O\u0308');
  expect(await screen.findByRole('checkbox', { name: 'Café Özil' })).toBeTruthy();
});

test('strangers are not listed if only contacts are requested', async () => {
  await show(false);
  expect(await screen.findByRole('searchbox')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
});
