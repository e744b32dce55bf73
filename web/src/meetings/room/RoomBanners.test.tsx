/** @jest-environment jsdom */
import type { Participant } from '@nolo/api';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createParticipant } from '../../../../packages/client/tests/fakeRoom.ts';
import { onPlanLimit } from '../../api/request.ts';
import { announcementsStore } from '../../session/announcements.ts';
import { featureStore } from '../../session/features.ts';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { RoomBanners } from './RoomBanners.tsx';
import { RoomContext } from './roomContext.ts';
import { RoomSession } from './RoomSession.ts';

const sells = (billing: boolean) => featureStore.getState().setFeatures({ billing });
afterEach(() => {
  cleanup();
  sells(false);
  announcementsStore.setState({ current: [], dismissed: [] });
});

/** Shows a meeting that was warned of its end, to a user with this role. */
function show(role: 'host' | 'participant', planMinutes: number | null, lobby: readonly Participant[] = []) {
  const store = createRoomStore();
  const self = createParticipant('self', { role });
  const room = { selfId: self.id, participants: { [self.id]: self }, order: [self.id] };
  store.setState({ ...room, lobby, warnedEndsAt: '2026-11-23T12:40:00Z', planMinutes });
  const session = Object.create(RoomSession.prototype, {
    store: { value: store },
    roomCode: { value: 'ABC234' },
    client: { value: {} },
  }) as RoomSession;
  render(
    <TestProviders>
      <RoomContext value={session}>
        <RoomBanners onShowPeople={() => undefined} />
      </RoomContext>
    </TestProviders>,
  );
}

test('a guest who asks to join under someone else’s name is marked as a guest', () => {
  show('host', null, [createParticipant('guest', { role: 'guest', name: 'Amara' })]);
  expect(screen.queryByText(/Amara \(Guest\)/)).not.toBeNull();
});

const button = () => screen.queryByRole('button', { name: 'Get more time' });

test('a host whose plan ends the meeting is offered more time', async () => {
  sells(true);
  const met: unknown[] = [];
  const stop = onPlanLimit(({ code, details }) => met.push({ code, ...details }));
  show('host', 40);
  await userEvent.click(button()!);
  expect(met).toMatchObject([
    { code: 'plan_limit', feature: 'meetingMinutes', limit: 40, liftedBy: ['plus', 'business'], addOn: null },
  ]);
  stop();
});

test.each([
  ['whose plan it is not', 'participant', 40, true],
  ['where nothing is sold', 'host', 40, false],
  ['where no plan ends it', 'host', null, true],
] as const)('more time is not offered %s', (_what, role, minutes, selling) => {
  sells(selling);
  show(role, minutes);
  expect(screen.getByText(/This meeting has a time limit and will end at/)).toBeTruthy();
  expect(button()).toBeNull();
});

test('an operator’s announcement is also shown in a meeting, until it is dismissed', async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  announcementsStore.setState({
    current: [{ id: 'sunday', texts: { en: 'Nolo is away on Sunday at six.' }, severity: 'warning', until }],
  });
  show('participant', null);
  expect(screen.getByText('Nolo is away on Sunday at six.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Nolo is away on Sunday at six.')).toBeNull();
});
