import type { Participant } from '@nolo/api';
import { useShallow } from 'zustand/react/shallow';
import { isHosting, othersInside } from '@nolo/client/rooms/roomState';
import { useRoomState } from './roomContext.ts';

/**
 * Returns the participants whom the user, as a host, would leave behind and must decide about. Empty for everyone else.
 */
export function useParticipantsLeftBehind(): readonly Participant[] {
  return useRoomState(
    useShallow((state) =>
      state.meeting && isHosting(state.participants[state.selfId ?? '']) ? othersInside(state) : [],
    ),
  );
}
