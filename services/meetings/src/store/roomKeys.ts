import type { NodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import { cacheError } from '@nolo/kit/redis';
import type { Participant } from '../domain/participant.ts';

/**
 * Rooms in Redis. `room:<id>:inside` and `room:<id>:waiting` are hashes of participants as JSON; `place:<participant>` says
 * in which room somebody is; `participants` is a sorted set of leases by Redis's own clock, so that no other has to agree
 * with it. `room:<id>:version` orders what happens to the people of a room. `away:<participant>` and the sorted set `away` remember those whose lease ran out. What must not be torn apart
 * is a script.
 */
export const inside = (roomId: RoomId) => `room:${roomId}:inside`;
export const waiting = (roomId: RoomId) => `room:${roomId}:waiting`;
export const versionKey = (roomId: RoomId) => `room:${roomId}:version`;
export const nodesKey = (roomId: RoomId) => `room:${roomId}:nodes`;
export const place = (participantId: ParticipantId) => `place:${participantId}`;
export const onNode = (nodeId: NodeId) => `node:${nodeId}:rooms`;
export const leases = 'participants';
export const awayKey = (participantId: ParticipantId) => `away:${participantId}`;
export const awayTimes = 'away';

/** A room that everybody forgot goes away by itself. */
export const roomSeconds = 86_400;

export const nowLua = `local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

/** Who stayed away is remembered for a little longer, so that whoever looks after them finds who it was. */
export const awayGraceMs = 600_000;

/** Redis being away is a passing trouble, which callers and clients know how to take. */
export async function asking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw cacheError(error) ?? error;
  }
}

export const readParticipant = (json: string): Participant => JSON.parse(json) as Participant;
