/** @jest-environment jsdom */
import type { Participant, User } from '@nolo/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createParticipant } from '../../../../packages/client/tests/fakeRoom.ts';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { testUser } from '../../testing/testMeeting.ts';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { RoomBanners } from './RoomBanners.tsx';
import { RoomContext } from './roomContext.ts';
import { RoomSession } from './RoomSession.ts';
import { UnmuteRequestDialog } from './MeetingFlowScreen.tsx';
import enMeeting from '../../../locales/en/meeting.json' with { type: 'json' };

const originalFetch = globalThis.fetch;
/** Moderation requests to the server. */
let moderated: unknown[];
/** People removed earlier. */
let removed: { userId: string; user: User | null; removedAt: string }[];
/** Calls to the user's own device switches. */
let switched: unknown[][];

beforeEach(() => {
  moderated = [];
  switched = [];
  removed = [];
  globalThis.fetch = (async (path: string, { body, method }: { body: string; method: string }) => {
    if (method === 'GET') {
      const text = async () => JSON.stringify(removed);
      return { ok: true, status: 200, headers: new Headers(), text, json: async () => removed } as Response;
    }
    moderated.push([path, JSON.parse(body)]);
    if (body.includes('readmit')) removed = removed.slice(1);
    return { ok: true, status: 204, headers: new Headers(), text: async () => '' } as Response;
  }) as unknown as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

/** Shows the room as seen by the first of these people, without a connection or devices. */
function show(what: ReactNode, people: readonly Participant[], lobby: readonly Participant[] = []) {
  const store = createRoomStore();
  store.setState({
    selfId: people[0]!.id,
    participants: Object.fromEntries(people.map((one) => [one.id, one])),
    order: people.map(({ id }) => id),
    lobby,
  });
  const client = { set: async (...change: unknown[]) => void switched.push(change) };
  const session = Object.create(RoomSession.prototype, {
    store: { value: store },
    roomCode: { value: 'ABC234' },
    client: { value: client },
  }) as RoomSession;
  render(
    <TestProviders>
      <QueryClientProvider client={new QueryClient()}>
        <RoomContext value={session}>{what}</RoomContext>
      </QueryClientProvider>
    </TestProviders>,
  );
  return store;
}

const panel = <PeoplePanel pinned={null} onPin={() => undefined} />;
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const choose = async (name: string, item: string) => {
  await user.click(screen.getByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};
/** Expected request about a person, which applies to all their devices. */
const moderation = (action: string, name?: string) => [
  '/api/meetings/ABC234/moderation',
  { action, ...(name !== undefined && { userId: createParticipant(name).userId }) },
];

const host = createParticipant('host', { role: 'host' });

test('waiting people are admitted all at once, or one by one', async () => {
  show(panel, [host], [createParticipant('Ben'), createParticipant('Cleo')]);
  await user.click(screen.getByRole('button', { name: 'Admit everyone' }));
  await user.click(screen.getByRole('button', { name: enMeeting.people.admitNamed.replace('{{name}}', 'Cleo') }));
  await user.click(screen.getByRole('button', { name: enMeeting.people.denyNamed.replace('{{name}}', 'Ben') }));
  await waitFor(() =>
    expect(moderated).toEqual([moderation('admit'), moderation('admit', 'Cleo'), moderation('deny', 'Ben')]),
  );
});

test('a person who asks to join is admitted from above the stage, and several are counted', async () => {
  const store = show(<RoomBanners onShowPeople={() => undefined} />, [host], [createParticipant('Ben')]);
  await user.click(screen.getByRole('button', { name: 'Admit Ben' }));
  await waitFor(() => expect(moderated).toEqual([moderation('admit', 'Ben')]));
  const phone = createParticipant('phone', { userId: createParticipant('Ben').userId, name: 'Ben' });
  act(() => store.setState({ lobby: [createParticipant('Ben'), phone] }));
  expect(screen.getByText('Ben wants to join')).toBeTruthy();
  act(() => store.setState({ lobby: [createParticipant('Ben'), createParticipant('Cleo')] }));
  expect(screen.getByText('2 people want to join')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Admit/ })).toBeNull();
});

test('hosts see who was removed and let them return', async () => {
  const removedAt = '2026-05-04T09:00:00.000Z';
  show(panel, [host], []);
  expect(screen.queryByRole('heading', { name: 'Removed' })).toBeNull();
  cleanup();
  removed = [
    { userId: 'cleo', user: testUser('Cleo'), removedAt },
    { userId: 'dora', user: null, removedAt },
  ];
  show(panel, [host], []);
  await user.click(await screen.findByRole('button', { name: 'Readmit Cleo' }));
  await waitFor(() => expect(screen.queryByText('Cleo')).toBeNull());
  expect(moderated).toEqual([['/api/meetings/ABC234/moderation', { action: 'readmit', userId: 'cleo' }]]);
  expect(screen.getByRole('button', { name: 'Readmit Deleted account' })).toBeTruthy();
});

test('a removed person is listed as soon as they are gone', async () => {
  const store = show(panel, [host, createParticipant('Cleo')], []);
  await waitFor(() => expect(screen.getByText('Cleo')).toBeTruthy());
  removed = [{ userId: 'cleo', user: testUser('Cleo'), removedAt: '2026-05-04T09:00:00.000Z' }];
  act(() => store.setState({ order: [host.id] }));
  await screen.findByRole('button', { name: 'Readmit Cleo' });
});

test('only hosts see who was removed', async () => {
  removed = [{ userId: 'cleo', user: testUser('Cleo'), removedAt: '2026-05-04T09:00:00.000Z' }];
  show(panel, [createParticipant('Ben'), host], []);
  await Promise.resolve();
  expect(screen.queryByText('Cleo')).toBeNull();
});

test('Admit everyone is not offered for a single waiting person', () => {
  show(panel, [host], [createParticipant('Ben')]);
  expect(screen.queryByRole('button', { name: 'Admit everyone' })).toBeNull();
});

test('unmuted people can be muted, and muted people can only be asked to unmute', async () => {
  show(panel, [host, createParticipant('Ben', { isMuted: false }), createParticipant('Cleo', { isMuted: true })]);
  await choose('Ben', enMeeting.people.mute);
  await choose('Cleo', 'Ask to unmute');
  await waitFor(() => expect(moderated).toEqual([moderation('mute', 'Ben'), moderation('ask_to_unmute', 'Cleo')]));
});

test('the host appoints co-hosts, and can revoke that', async () => {
  show(panel, [host, createParticipant('Ben'), createParticipant('Cleo', { role: 'co_host' })]);
  await choose('Ben', enMeeting.people.makeCoHost);
  await choose('Cleo', enMeeting.people.makeParticipant);
  await waitFor(() =>
    expect(moderated).toEqual([moderation('make_co_host', 'Ben'), moderation('make_participant', 'Cleo')]),
  );
});

test('a co-host decides nothing about the host, or about who is one', async () => {
  show(panel, [createParticipant('Cleo', { role: 'co_host' }), host, createParticipant('Ben')]);
  await user.click(screen.getByRole('button', { name: 'Actions for host' }));
  await screen.findByRole('menuitem', { name: /pin/i });
  expect(screen.queryByRole('menuitem', { name: enMeeting.people.remove })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Ben' }));
  await screen.findByRole('menuitem', { name: enMeeting.people.remove });
  expect(screen.queryByRole('menuitem', { name: enMeeting.people.makeCoHost })).toBeNull();
});

test('someone asked to unmute stays muted unless they choose otherwise', async () => {
  let closed = 0;
  show(<UnmuteRequestDialog open onClose={() => (closed += 1)} />, [createParticipant('Ben')]);
  await user.click(screen.getByRole('button', { name: enMeeting.asked.stayMuted }));
  expect(switched).toEqual([]);
  await user.click(screen.getByRole('button', { name: enMeeting.room.microphoneOn }));
  expect(switched).toEqual([['microphone', true]]);
  expect(closed).toBe(2);
});
