import type { User } from '@nolo/api';
import { isCallId, limits, normalizeRoomCode } from '@nolo/rules';
import { toUser } from '../../../mapping/people.ts';
import type { Connection } from '../../Connection.ts';
import type { EventContext } from '../event.ts';

/**
 * Profiles of users waiting for admission, fetched early so that joining is not delayed. Changes in the meantime go
 * unnoticed.
 */
const known = new WeakMap<Connection, { profile: Promise<User | undefined>; until: number }>();

/** Returns the user's profile as others see it. Undefined for guests, whose names are stored in meetings. */
export async function loadOwnProfile(connection: Connection, { identity }: EventContext): Promise<User | undefined> {
  const { userId, guest } = connection;
  if (guest) return undefined;
  const kept = known.get(connection);
  known.delete(connection);
  if (kept && performance.now() < kept.until) {
    const profile = await kept.profile.catch(() => undefined);
    if (profile) return profile;
  }
  const { users } = await identity.getUsers({ actorId: userId, userIds: [userId] });
  return users[0] && toUser(users[0]);
}

/** Prefetches the profile of a user who may enter within a minute. */
export function prefetchProfile(connection: Connection, context: EventContext): void {
  known.delete(connection);
  const profile = loadOwnProfile(connection, context);
  // Errors are ignored here: entering queries again and reports them.
  profile.catch(() => undefined);
  known.set(connection, { profile, until: performance.now() + limits.preparedTransportsMs });
}

export function roomCodeOf({ roomCode }: { roomCode: string }): string {
  return isCallId(roomCode) ? roomCode : normalizeRoomCode(roomCode);
}
