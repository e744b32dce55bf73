/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { PendingGroups } from './PendingGroups.tsx';

const originalFetch = globalThis.fetch;
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

test('a requested group has a row, where the request can be withdrawn', async () => {
  const calls: string[] = [];
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${String(path)}`);
    return Promise.resolve({ ok: true, status: 204, headers: new Headers(), text: async () => '' } as Response);
  }) as typeof fetch;
  const request = {
    id: 'g1',
    name: 'Hikers',
    pictureUrl: null,
    memberCount: 3,
    requestedAt: '2026-11-29T12:00:00.000Z',
  };
  render(<PendingGroups requests={[request]} />, { wrapper: testChat().wrapper });
  expect(screen.getByText('Hikers')).toBeTruthy();
  expect(screen.getByText('Request sent')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Withdraw your request to join Hikers' }));
  expect(calls).toEqual(['DELETE /api/group-requests/g1']);
});
