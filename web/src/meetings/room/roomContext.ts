import type { Participant } from '@nolo/api';
import { isolateDirection } from '@nolo/rules';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { RoomClient } from '@nolo/client/rooms/RoomClient';
import type { RoomState } from '@nolo/client/rooms/roomState';
import { RoomSession } from './RoomSession.ts';
import type { Translate } from '../../i18n/texts.ts';
import type { meetingTexts } from './meetingTexts.ts';

/** Parts that a room's components need. A call in a room provides its own. */
export type RoomContextValue = Pick<RoomSession, 'own' | 'store' | 'client'>;

export const RoomContext = createContext<RoomContextValue | null>(null);

export function useRoomContext(): RoomContextValue {
  const roomContext = useContext(RoomContext);
  if (roomContext === null) throw new Error('useRoomContext must be used inside a room.');
  return roomContext;
}

/** Returns the session of a meeting's address. Only for components of a meeting. */
export function useRoomSession(): RoomSession {
  const roomContext = useRoomContext();
  if (!(roomContext instanceof RoomSession)) throw new Error('useRoomSession must be used inside a meeting.');
  return roomContext;
}

/** Returns the client of the room. Only for components shown inside the room. */
export function useRoomClient(): RoomClient {
  const { client } = useRoomContext();
  if (!client) throw new Error('useRoomClient must be used inside a joined room.');
  return client;
}

/** Selects a part of the room's state. The selector must return the same value while nothing changes. */
export function useRoomState<T>(selector: (state: RoomState) => T): T {
  return useStore(useRoomContext().store, selector);
}

/** Selects what the stage shows. */
export const toStageState = ({ selfId, participants, order, tracks, lastSpeaker }: RoomState) => ({
  selfId,
  participants,
  order,
  tracks,
  lastSpeaker,
});

/** Returns a name with its role: "Amara (Host)". */
export function nameWithRole(person: Pick<Participant, 'name' | 'role'>, t: Translate<typeof meetingTexts>): string {
  const { name, role } = person;
  if (role === 'host') return `${isolateDirection(name)} ${t('meeting:room.host')}`;
  if (role === 'co_host') return `${isolateDirection(name)} ${t('meeting:room.coHost')}`;
  return personName(person, t);
}

/** Returns a display name. Guests choose theirs, so they are always marked and cannot impersonate others. */
export function personName(
  { name, role }: Pick<Participant, 'name' | 'role'>,
  t: Translate<typeof meetingTexts>,
): string {
  return role === 'guest' ? `${isolateDirection(name)} ${t('meeting:room.guest')}` : name;
}
