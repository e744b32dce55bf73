import type { Log } from '@nolo/kit/log';
import type { RoomsClient } from '../edge.ts';
import type { Connection } from './Connection.ts';
import { createEntering } from './entering.ts';
import type { Framed } from './framing.ts';
import type { Sending } from './send.ts';

/** A socket's place in a room. */
export interface Place {
  readonly connection: Connection;
  readonly participantId: string;
  /** What the client joined with, by which it knows the room. */
  readonly roomCode: string;
  /** The scope under which frames for the whole room come; absent while waiting in the lobby. */
  readonly roomScope: string | undefined;
}

/**
 * Which of this replica's sockets are in which room. The meetings service keeps a participant only as long as somebody
 * vouches for it, so that nobody stays in a room after their gateway has died.
 */
export interface Participants {
  enter(place: Place): void;
  /**
   * Runs the request by which a socket enters a room. Until it is answered nobody here knows the scopes of the room and the
   * participant, so frames for scopes that the socket has not joined are kept meanwhile, and those of the room are written
   * after the answer: somebody may leave the room after the answer was put together, and before it is here. The caller
   * writes the answer without waiting for anything else.
   */
  whileEntering<T>(connection: Connection, enter: () => Promise<T>): Promise<T>;
  /** Keeps a frame of a room that the socket is entering, or may be entering. Answers whether it did. */
  keep(connection: Connection, scope: string, framed: Framed): boolean;
  leave(participantId: string): void;
  /** Forgets the participant or the whole room that a frame with this scope was for. */
  leaveScope(scope: string): void;
  countOf(connection: Connection): number;
  /** Whether the participant is this socket's. */
  holds(connection: Connection, participantId: string): boolean;
  /** Tells at once that a socket closed without a goodbye: its participants may come back on another. */
  lose(connection: Connection): void;
  stop(): Promise<void>;
}

const renewMs = 3_000;
/** As many as meetings takes in one call. */
const perCall = 2_000;

/** Whether those whom a frame reaches are no longer in the room. */
export function endsPlaces({ type, data }: { type: string; data: unknown }): boolean {
  if (type === 'meeting_ended' || type === 'meeting_denied') return true;
  return type === 'meeting_asked' && (data as { what?: unknown }).what === 'removed';
}

export function createParticipants(options: {
  rooms: RoomsClient;
  gatewayId: string;
  sending: Sending;
  log: Log;
}): Participants {
  const { rooms, gatewayId, sending, log } = options;
  const places = new Map<string, Place>();
  const byConnection = new Map<Connection, Set<string>>();
  const entering = createEntering(sending);

  const forget = (participantId: string) => {
    const place = places.get(participantId);
    if (!place) return;
    places.delete(participantId);
    const { connection, roomScope } = place;
    const theirs = byConnection.get(connection);
    theirs?.delete(participantId);
    if (theirs?.size === 0) byConnection.delete(connection);
    connection.joined?.delete(participantId);
    // A socket that is in a room twice stays in it with the other.
    const stays = [...(theirs ?? [])].some((other) => places.get(other)?.roomScope === roomScope);
    if (roomScope !== undefined && !stays) connection.joined?.delete(roomScope);
  };

  /** The room went on without this one: a lease ran out while the meetings service or this replica was away. */
  const tellLost = ({ connection, participantId, roomCode }: Place) =>
    sending.send(connection, {
      type: 'meeting_participant_left',
      data: { roomCode, participantId, reason: 'lost' },
    });

  const renew = async (participantIds: string[], lostParticipantIds: string[]) => {
    const asked = participantIds.map((participantId) => places.get(participantId));
    const { unknownParticipantIds } = await rooms.renewParticipants({ gatewayId, participantIds, lostParticipantIds });
    const unknown = new Set(unknownParticipantIds);
    for (const place of asked) {
      // One that was entered again meanwhile is another place, and known.
      if (!place || !unknown.has(place.participantId) || places.get(place.participantId) !== place) continue;
      forget(place.participantId);
      tellLost(place);
    }
  };
  const quietly = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn({ err: error }, 'participants could not be vouched for'));

  let timer: NodeJS.Timeout | undefined;
  const renewAll = async () => {
    const all = [...places.keys()];
    if (all.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (let start = 0; start < all.length; start += perCall) await renew(all.slice(start, start + perCall), []);
  };
  const lose = (connection: Connection): Promise<void> => {
    const theirs = [...(byConnection.get(connection) ?? [])];
    for (const participantId of theirs) forget(participantId);
    return theirs.length === 0 ? Promise.resolve() : quietly(renew([], theirs));
  };

  return {
    whileEntering: entering.run,
    keep: entering.keep,
    enter(place) {
      const { connection, participantId, roomScope } = place;
      // It may have been another socket's, which has not noticed yet that its connection is gone.
      forget(participantId);
      places.set(participantId, place);
      timer ??= setInterval(() => void quietly(renewAll()), renewMs).unref();
      const joined = (connection.joined ??= new Set());
      for (const scope of [participantId, roomScope]) {
        if (scope === undefined) continue;
        if (!joined.has(scope)) entering.joins(connection, scope);
        joined.add(scope);
      }
      const theirs = byConnection.get(connection);
      if (theirs) theirs.add(participantId);
      else byConnection.set(connection, new Set([participantId]));
    },
    leave: forget,
    leaveScope(scope) {
      forget(scope);
      for (const { participantId, roomScope } of places.values()) if (roomScope === scope) forget(participantId);
    },
    countOf: (connection) => byConnection.get(connection)?.size ?? 0,
    holds: (connection, participantId) => places.get(participantId)?.connection === connection,
    lose: (connection) => void lose(connection),
    async stop() {
      clearInterval(timer);
      await Promise.all([...byConnection.keys()].map(lose));
    },
  };
}
