import type { Log } from '@nolo/kit/log';
import type { Clients } from '../clients.ts';
import type { Connection } from './Connection.ts';
import { createRoomEntryBuffer } from './roomEntryBuffer.ts';
import type { FramedText } from './framing.ts';
import type { FrameSender } from './send.ts';

/** Presence of a socket in a room. */
interface RoomSocket {
  readonly connection: Connection;
  readonly participantId: string;
  /** Code that the client joined with, which identifies the room to it. */
  readonly roomCode: string;
  /** Scope of frames for the whole room. Absent while waiting in the lobby. */
  readonly roomScope: string | undefined;
}

/**
 * Tracks which of this replica's sockets are in which room. The meetings service removes participants that no gateway
 * renews, so nobody stays in a room after their gateway has died.
 */
export interface ParticipantTracker {
  enter(place: RoomSocket): void;
  /**
   * Runs the request by which a socket enters a room. The scopes of the room and the participant are unknown until the
   * response, so frames for scopes that the socket has not joined are held. Frames of the room are written after the
   * response: someone may leave between the time the response is built and the time it arrives. The caller must write
   * the response without awaiting anything else.
   */
  whileEntering<T>(connection: Connection, enter: () => Promise<T>): Promise<T>;
  /** Holds a frame of a room that the socket is or may be entering. Returns true if it held the frame. */
  keep(connection: Connection, scope: string, framed: FramedText): boolean;
  leave(participantId: string): void;
  /** Removes the participant or the whole room that a scope belongs to. */
  leaveScope(scope: string): void;
  countOf(connection: Connection): number;
  /** True if the participant belongs to this socket. */
  holds(connection: Connection, participantId: string): boolean;
  /** Reports immediately that a socket closed without a goodbye. Its participants may return on another socket. */
  lose(connection: Connection): void;
  stop(): Promise<void>;
}

const renewMs = 3_000;
/** Maximum participants per call to meetings. */
const perCall = 2_000;

/** True if the frame means that its recipients are no longer in the room. */
export function endsRoomMembership({ type, data }: { type: string; data: unknown }): boolean {
  if (type === 'meeting_ended' || type === 'meeting_denied') return true;
  return type === 'meeting_asked' && (data as { what?: unknown }).what === 'removed';
}

export function createParticipantTracker(options: {
  rooms: Clients['rooms'];
  gatewayId: string;
  sending: FrameSender;
  log: Log;
}): ParticipantTracker {
  const { rooms, gatewayId, sending, log } = options;
  const places = new Map<string, RoomSocket>();
  const byConnection = new Map<Connection, Set<string>>();
  const entering = createRoomEntryBuffer(sending);

  const forget = (participantId: string) => {
    const place = places.get(participantId);
    if (!place) return;
    places.delete(participantId);
    const { connection, roomScope } = place;
    const theirs = byConnection.get(connection);
    theirs?.delete(participantId);
    if (theirs?.size === 0) byConnection.delete(connection);
    connection.joined?.delete(participantId);
    // A socket that is in a room twice stays in it with its other participant.
    const stays = [...(theirs ?? [])].some((other) => places.get(other)?.roomScope === roomScope);
    if (roomScope !== undefined && !stays) connection.joined?.delete(roomScope);
  };

  /**
   * Notifies a client that the room dropped its participant: the lease expired while the meetings service or this
   * replica was down.
   */
  const notifyLost = ({ connection, participantId, roomCode }: RoomSocket) =>
    sending.send(connection, {
      type: 'meeting_participant_left',
      data: { roomCode, participantId, reason: 'lost' },
    });

  const renew = async (participantIds: string[], lostParticipantIds: string[]) => {
    const requestedPlaces = participantIds.map((participantId) => places.get(participantId));
    const { unknownParticipantIds } = await rooms.renewParticipants({ gatewayId, participantIds, lostParticipantIds });
    const unknown = new Set(unknownParticipantIds);
    for (const place of requestedPlaces) {
      // A participant that entered again meanwhile has a new place, which is known.
      if (!place || !unknown.has(place.participantId) || places.get(place.participantId) !== place) continue;
      forget(place.participantId);
      notifyLost(place);
    }
  };
  const quietly = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn({ err: error }, 'vouching for participants failed'));

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
      // The participant may belong to another socket that has not noticed its broken connection yet.
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
