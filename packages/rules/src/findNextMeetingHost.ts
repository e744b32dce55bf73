import type { ParticipantRole } from './meetings.ts';

/**
 * Returns the next host of a meeting after a host leaves: another host, else a co-host, else the signed-in user who has
 * been inside longest. Guests never host, so the result is undefined if only guests stay. `people` are those who stay,
 * in order of joining.
 */
export function findNextMeetingHost<Person extends { readonly role: ParticipantRole }>(
  people: readonly Person[],
): Person | undefined {
  const first = (wanted: ParticipantRole) => people.find(({ role }) => role === wanted);
  return first('host') ?? first('co_host') ?? first('participant');
}
