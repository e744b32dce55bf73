import type { Meeting } from './meeting.ts';
import type { Participant } from './participant.ts';

/** Capacity of a room in people (decision 41). */
export interface RoomCapacity {
  readonly maxPeople: number;
  /** True if one slot is for a host: while no host is inside, one slot less is available to everyone else. */
  readonly hasHostSlot: boolean;
}

export type AdmissionOutcome = 'seated' | 'full' | 'too_many_devices';

export const getRoomCapacity = ({ maxParticipants }: Meeting): RoomCapacity => ({
  maxPeople: maxParticipants,
  hasHostSlot: true,
});

/** Returns the number of different people; a person may use several devices. */
export function countPeople(participants: readonly Pick<Participant, 'userId'>[]): number {
  return new Set(participants.map(({ userId }) => userId)).size;
}

/** Returns the number of free slots, for people who are not hosts unless `asHost`. */
export function countFreeSlots(
  inside: readonly Pick<Participant, 'userId' | 'role'>[],
  { maxPeople, hasHostSlot }: RoomCapacity,
  asHost = false,
): number {
  const kept = hasHostSlot && !asHost && !inside.some(({ role }) => role === 'host') ? 1 : 0;
  return Math.max(0, maxPeople - countPeople(inside) - kept);
}
