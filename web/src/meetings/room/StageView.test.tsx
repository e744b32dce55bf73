/** @jest-environment jsdom */
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createParticipant } from '../../../../packages/client/tests/fakeRoom.ts';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { TestProviders } from '../../testing/TestProviders.tsx';
import type { RoomContextValue } from './roomContext.ts';
import { RoomContext } from './roomContext.ts';
import { StageView } from './StageView.tsx';
import enMeeting from '../../../locales/en/meeting.json' with { type: 'json' };

globalThis.IntersectionObserver ??= class {
  observe(): void {}
  disconnect(): void {}
} as unknown as typeof IntersectionObserver;

// Fakes a wide screen in landscape.
globalThis.matchMedia ??= (query) =>
  ({
    matches: query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

afterEach(cleanup);

/** Shows the grid of a room with `count` people, including the user, on a wide screen. */
function show(count: number) {
  const people = Array.from({ length: count }, (_, index) =>
    createParticipant(`P${String(index + 1).padStart(2, '0')}`),
  );
  const store = createRoomStore();
  store.setState({
    selfId: people[0]!.id,
    participants: Object.fromEntries(people.map((one) => [one.id, one])),
    order: people.map(({ id }) => id),
  });
  const roomContext = { store, own: {}, client: { view: { show: () => undefined } } } as unknown as RoomContextValue;
  render(
    <TestProviders>
      <RoomContext value={roomContext}>
        <StageView
          layout="grid"
          pinned={null}
          onPin={() => undefined}
          onInvite={() => undefined}
          room={{ current: null }}
        />
      </RoomContext>
    </TestProviders>,
  );
  return store;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const tiles = () => within(screen.getByTestId('grid')).getAllByRole('listitem').length;

test('more than twelve tiles are shown page by page', async () => {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  show(26);
  expect(screen.getByText('1 of 3')).toBeTruthy();
  expect(tiles()).toBe(12);
  expect(button(enMeeting.room.previousPage).disabled).toBe(true);
  await user.click(button(enMeeting.room.nextPage));
  expect(screen.getByText('2 of 3')).toBeTruthy();
  await user.click(button(enMeeting.room.nextPage));
  expect(screen.getByText('3 of 3')).toBeTruthy();
  expect(tiles()).toBe(2);
  expect(button(enMeeting.room.nextPage).disabled).toBe(true);
  await user.click(button(enMeeting.room.previousPage));
  expect(tiles()).toBe(12);
  expect(button(enMeeting.room.nextPage).disabled).toBe(false);
});

test('twelve tiles fit on one page, without buttons', () => {
  show(12);
  expect(tiles()).toBe(12);
  expect(screen.queryByRole('button', { name: enMeeting.room.nextPage })).toBeNull();
});
