/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { useGroupChats } from './groupScreenQueries.ts';

afterEach(cleanup);

test('the group chats on the device are listed without a server, latest first', async () => {
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn(async () => {
    throw new TypeError('Failed to fetch');
  }) as typeof fetch;
  const { server, engine, wrapper } = testChat();
  const direct = await server.api.getConversation('c1');
  const group = (id: string, name: string, day: number) => ({
    ...direct,
    id,
    name,
    type: 'group' as const,
    lastMessage: null,
    createdAt: `2026-11-0${day}T00:00:00.000Z`,
  });
  const conversations = { c1: direct, g1: group('g1', 'Choir', 1), g2: group('g2', 'Hikers', 2) };
  engine.store.setState({ conversations });
  const { result } = renderHook(() => useGroupChats(true), { wrapper });
  await waitFor(() => expect(result.current.failed).toBe(true), { timeout: 10_000 });
  expect(result.current.groups?.map(({ name }) => name)).toEqual(['Hikers', 'Choir']);
  expect(result.current.complete).toBe(false);
}, 15_000);
