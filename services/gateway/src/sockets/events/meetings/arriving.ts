import type { User } from '@nolo/api';
import { isCallId, limits, normalizeRoomCode } from '@nolo/rules';
import { toUser } from '../../../routes/mapPeople.ts';
import type { Connection } from '../../Connection.ts';
import type { EventContext } from '../event.ts';

/** Of whoever is at a door, so that nobody waits for it when they come in. A profile may change meanwhile, unseen. */
const known = new WeakMap<Connection, { profile: Promise<User | undefined>; until: number }>();

/** What the others see of somebody; undefined of a guest, whose name is known to meetings. */
export async function ownProfile(connection: Connection, { identity }: EventContext): Promise<User | undefined> {
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

/** Asks for the profile of somebody who may come in within a minute. */
export function foresee(connection: Connection, context: EventContext): void {
  known.delete(connection);
  const profile = ownProfile(connection, context);
  // Asked for again by whoever comes in, who is told then.
  profile.catch(() => undefined);
  known.set(connection, { profile, until: performance.now() + limits.seatMs });
}

export function roomCodeOf({ roomCode }: { roomCode: string }): string {
  return isCallId(roomCode) ? roomCode : normalizeRoomCode(roomCode);
}
