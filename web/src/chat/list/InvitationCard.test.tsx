/** @jest-environment jsdom */
import type { GroupInvitation } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { RequestsList } from './RequestsList.tsx';

const ada = {
  id: 'ada',
  firstName: 'Ada',
  lastName: 'Adams',
  displayName: 'Ada Adams',
  profileImageUrl: '/objects/picture-of-ada',
  statusMessage: '',
  presenceStatus: 'offline',
  isOnline: false,
  isContact: false,
  isBlocked: false,
} as const;
const invitation: GroupInvitation = {
  id: 'g1',
  name: 'Hikers',
  memberCount: 3,
  invitedBy: 'ada',
  inviter: ada,
  invitedAt: '2026-11-20T10:00:00.000Z',
};

const originalFetch = globalThis.fetch;
const requests: string[] = [];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  requests.length = 0;
  user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    requests.push(`${init?.method ?? 'GET'} ${String(path)}`);
    return Promise.resolve({
      ok: true,
      status: 204,
      statusText: '',
      headers: new Headers(),
      text: () => Promise.resolve(''),
    } as Response);
  }) as never;
  const { wrapper } = testChat();
  render(<RequestsList rows={[]} invitations={[invitation]} onBack={() => undefined} />, { wrapper });
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

const card = () => within(screen.getByRole('article', { name: 'Hikers' }));

test('shows the name of the group and who invites, and loads no picture', () => {
  expect(card().getByText('Ada Adams invited you to this group. 3 people are in it.')).toBeDefined();
  expect(document.querySelectorAll('img')).toHaveLength(0);
});

test('is declined at once', async () => {
  await user.click(card().getByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(requests).toContain('DELETE /api/group-invitations/g1'));
});

test('blocks the inviting person after confirmation', async () => {
  await user.click(card().getByRole('button', { name: 'Block Ada Adams' }));
  const question = await screen.findByRole('alertdialog');
  expect(requests).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(requests).toContain('PUT /api/blocks/ada'));
});
