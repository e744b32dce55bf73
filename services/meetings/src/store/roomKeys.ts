import type { MediaNodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import { toCacheError } from '@nolo/kit/redis';
import type { Participant } from '../domain/participant.ts';

/**
 * Keys of rooms in Redis. `room:<id>:inside` and `room:<id>:waiting` are hashes of participants as JSON.
 * `place:<participant>` stores a participant's room. `participants` is a sorted set of leases by Redis's own clock, so
 * no other clock has to agree with it. `room:<id>:version` orders changes to the people of a room. `away:<participant>`
 * and the sorted set `away` store participants whose lease expired. Operations that must be atomic are scripts.
 */
export const insideKey = (roomId: RoomId) => `room:${roomId}:inside`;
export const waitingKey = (roomId: RoomId) => `room:${roomId}:waiting`;
export const versionKey = (roomId: RoomId) => `room:${roomId}:version`;
export const nodesKey = (roomId: RoomId) => `room:${roomId}:nodes`;
export const placeKey = (participantId: ParticipantId) => `place:${participantId}`;
export const nodeRoomsKey = (nodeId: MediaNodeId) => `node:${nodeId}:rooms`;
export const leasesKey = 'participants';
export const awayKey = (participantId: ParticipantId) => `away:${participantId}`;
export const awayTimesKey = 'away';

/** Lifetime of an abandoned room. */
export const abandonedRoomSeconds = 86_400;

export const nowLua = `local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

/** Extra lifetime of absent participants, so that the sweep can still read who they were. */
export const awayGraceMs = 600_000;

/** Maps an outage of Redis to a temporary error, which callers and clients handle. */
export async function withCacheErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toCacheError(error) ?? error;
  }
}

export const parseParticipant = (json: string): Participant => JSON.parse(json) as Participant;
