import type { Participant } from '@nolo/api';
import { useShallow } from 'zustand/react/shallow';
import { isHosting, othersInside } from './model/meetingRoom.ts';
import { useRoom } from './roomContext.ts';

/** Whom one leaves behind as a host of a meeting, which is to be decided about; nobody for everybody else. */
export function useLeftBehind(): readonly Participant[] {
  return useRoom(
    useShallow((state) =>
      state.meeting && isHosting(state.participants[state.selfId ?? '']) ? othersInside(state) : [],
    ),
  );
}
