/** @jest-environment jsdom */
import type { Conversation, User } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { testUser } from '../../testing/testMeeting.ts';
import { StrangerBar } from './StrangerBar.tsx';

const originalFetch = globalThis.fetch;
const requests: string[] = [];
const stranger = { ...testUser('Amara'), id: 'you', isContact: false, isBlocked: false } as User;

beforeEach(() => {
  requests.length = 0;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn(async (path: unknown, init?: RequestInit) => {
    requests.push(`${init?.method ?? 'GET'} ${String(path)}`);
    const body = JSON.stringify(stranger);
    return { ok: true, status: 200, headers: new Headers(), text: async () => body, json: async () => stranger };
  }) as never;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

async function show(id: string, more: Partial<Conversation> = {}) {
  const { server, engine, wrapper } = testChat();
  engine.store.setState({ connection: 'open' });
  const row = await server.api.getConversation('c1');
  const lastMessage = { ...server.store('you', 'Hello', null), timestamp: row.createdAt };
  render(<StrangerBar conversation={{ ...row, id, lastMessage, otherUser: stranger, ...more }} />, { wrapper });
}
const add = () => screen.queryByRole('button', { name: 'Add to Contacts' });

test('a conversation with an accepted stranger offers to add them', async () => {
  await show('a');
  expect(screen.getByText(/isn’t in your contacts$/)).toBeTruthy();
  await userEvent.setup().click(add()!);
  expect(requests).toContain('POST /api/contacts');
});

test('adding is offered neither for a pending request nor for a contact', async () => {
  await show('b', { requestedAt: '2026-11-29T12:00:00.000Z' });
  expect(add()).toBeNull();
  await show('c', { otherUser: { ...stranger, isContact: true } });
  expect(add()).toBeNull();
});

test('the offer does not return once dismissed', async () => {
  await show('d');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(add()).toBeNull();
  cleanup();
  await show('d');
  expect(add()).toBeNull();
});
