import type { Participant } from '@nolo/api';
import { isolated } from '@nolo/rules';
import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { RoomClient } from './media/RoomClient.ts';
import type { RoomState } from './model/meetingRoom.ts';
import { RoomSession } from './RoomSession.ts';

/** What the parts of a room need; a call in a room brings its own. */
export type RoomParts = Pick<RoomSession, 'own' | 'store' | 'client'>;

export const RoomContext = createContext<RoomParts | null>(null);

export function useRoomParts(): RoomParts {
  const parts = useContext(RoomContext);
  if (parts === null) throw new Error('useRoomParts is for components of a room.');
  return parts;
}

/** The visit to a meeting's address; only for components of a meeting. */
export function useRoomSession(): RoomSession {
  const parts = useRoomParts();
  if (!(parts instanceof RoomSession)) throw new Error('useRoomSession is for components of a meeting.');
  return parts;
}

/** The client of the room; only for components that show while one is inside. */
export function useRoomClient(): RoomClient {
  const { client } = useRoomParts();
  if (!client) throw new Error('useRoomClient is for components inside of a room.');
  return client;
}

/** A part of the room's state; the selector must answer with the same value while nothing changed. */
export function useRoom<T>(selector: (state: RoomState) => T): T {
  return useStore(useRoomParts().store, selector);
}

/** A name with what the role says: "Amara (Host)". */
export function nameWithRole(person: Pick<Participant, 'name' | 'role'>, t: TFunction): string {
  const { name, role } = person;
  if (role === 'host') return `${isolated(name)} ${t('meeting.room.host')}`;
  if (role === 'co_host') return `${isolated(name)} ${t('meeting.room.coHost')}`;
  return personName(person, t);
}

/** A name wherever one stands: guests choose theirs, so they are always marked, and cannot pass for somebody else. */
export function personName({ name, role }: Pick<Participant, 'name' | 'role'>, t: TFunction): string {
  return role === 'guest' ? `${isolated(name)} ${t('meeting.room.guest')}` : name;
}
