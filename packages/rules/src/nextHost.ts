import type { ParticipantRole } from './meetings.ts';

/**
 * The person who hosts a meeting after a host has left: another host, else a co-host, else the person with an account who
 * has been inside longest. Guests never host, so it is undefined if only guests stay. `people` are those who stay, ordered
 * by when they joined.
 */
export function nextHost<Person extends { readonly role: ParticipantRole }>(
  people: readonly Person[],
): Person | undefined {
  const first = (wanted: ParticipantRole) => people.find(({ role }) => role === wanted);
  return first('host') ?? first('co_host') ?? first('participant');
}
