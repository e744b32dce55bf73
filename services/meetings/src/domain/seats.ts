import type { Meeting } from './meeting.ts';
import type { Participant } from './participant.ts';

/** Capacity of a room in people (decision 41). */
export interface Seats {
  readonly most: number;
  /** True if one slot is for a host: while no host is inside, one slot less is available to everyone else. */
  readonly hostSeat: boolean;
}

export type Seating = 'seated' | 'full' | 'too_many_devices';

export const seatsOf = ({ maxParticipants }: Meeting): Seats => ({ most: maxParticipants, hostSeat: true });

/** Returns the number of different people; a person may use several devices. */
export function peopleAmong(participants: readonly Pick<Participant, 'userId'>[]): number {
  return new Set(participants.map(({ userId }) => userId)).size;
}

/** Returns the number of free slots, for people who are not hosts unless `asHost`. */
export function freeSeats(
  inside: readonly Pick<Participant, 'userId' | 'role'>[],
  { most, hostSeat }: Seats,
  asHost = false,
): number {
  const kept = hostSeat && !asHost && !inside.some(({ role }) => role === 'host') ? 1 : 0;
  return Math.max(0, most - peopleAmong(inside) - kept);
}
