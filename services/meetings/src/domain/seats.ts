import type { Meeting } from './meeting.ts';
import type { Participant } from './participant.ts';

/** How many people a room takes (decision 41). */
export interface Seats {
  readonly most: number;
  /** Whether one of them is a host's: as long as none is inside, everybody else finds one seat less. */
  readonly hostSeat: boolean;
}

export type Seating = 'seated' | 'full' | 'too_many_devices';

export const seatsOf = ({ maxParticipants }: Meeting): Seats => ({ most: maxParticipants, hostSeat: true });

/** How many different people these are: somebody may be there with several devices. */
export function peopleAmong(participants: readonly Pick<Participant, 'userId'>[]): number {
  return new Set(participants.map(({ userId }) => userId)).size;
}

/** How many more people there is room for, who are no hosts unless `asHost`. */
export function freeSeats(
  inside: readonly Pick<Participant, 'userId' | 'role'>[],
  { most, hostSeat }: Seats,
  asHost = false,
): number {
  const kept = hostSeat && !asHost && !inside.some(({ role }) => role === 'host') ? 1 : 0;
  return Math.max(0, most - peopleAmong(inside) - kept);
}
