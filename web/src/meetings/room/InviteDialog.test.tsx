/** @jest-environment jsdom */
import type { Meeting } from '@nolo/api';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createParticipant } from '../../../../packages/client/tests/fakeRoom.ts';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { testMeeting } from '../../testing/testMeeting.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { RoomContext } from './roomContext.ts';
import { RoomSession } from './RoomSession.ts';

const originalFetch = globalThis.fetch;
let requests: [string, unknown][];
const past = '2026-05-04T08:00:00.000Z';

beforeEach(() => {
  requests = [];
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

function show(role: 'host' | 'participant', meeting: Partial<Meeting>) {
  const store = createRoomStore();
  const self = createParticipant('Me', { role });
  store.setState({
    selfId: self.id,
    participants: { [self.id]: self },
    order: [self.id],
    meeting: testMeeting(meeting),
  });
  globalThis.fetch = (async (path: string, { body }: { body: string }) => {
    requests.push([path, JSON.parse(body)]);
    const made = testMeeting({ roomCode: 'NEW234' });
    const text = async () => JSON.stringify(made);
    return { ok: true, status: 200, headers: new Headers(), text, json: async () => made } as Response;
  }) as unknown as typeof fetch;
  const session = Object.create(RoomSession.prototype, {
    store: { value: store },
    roomCode: { value: 'ABC234' },
  }) as RoomSession;
  render(
    <TestProviders>
      <RoomContext value={session}>
        <InviteDialog direct={null} onDirect={() => undefined} onClose={() => undefined} />
      </RoomContext>
    </TestProviders>,
  );
  return store;
}

test('a valid code is offered, with its link', () => {
  show('participant', { codeExpiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Room code' }).value).toBe('ABC234');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Meeting link' }).value).toMatch(/\/meeting\/ABC234$/);
});

test('an expired code is reported, and hosts create a new one', async () => {
  const store = show('host', { codeExpiresAt: past });
  expect(screen.getByRole('status').textContent).toBe('The room code has expired. Nobody new can join with it.');
  expect(screen.queryByRole('textbox')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'New code' }));
  await waitFor(() => expect(requests).toEqual([['/api/meetings/ABC234/code', {}]]));
  // The room receives the event like everyone in it.
  act(() => store.setState({ meeting: testMeeting({ roomCode: 'NEW234' }) }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Room code' }).value).toBe('NEW234');
});

test('someone who is not a host sees whom to ask', () => {
  show('participant', { codeExpiresAt: past });
  expect(screen.getByRole('status').textContent).toMatch(/Ask a host for a new one\.$/);
  expect(screen.queryByRole('button', { name: 'New code' })).toBeNull();
});
