import type { ParticipantRole } from './meetings.ts';

/**
 * Who hosts a meeting once its host has left: a co-host, or else whoever of those with an account has been inside longest.
 * Guests never do, so undefined where only guests stay. `people` are those who stay, the first who came in first.
 */
export function nextHost<Person extends { readonly role: ParticipantRole }>(
  people: readonly Person[],
): Person | undefined {
  return people.find(({ role }) => role === 'co_host') ?? people.find(({ role }) => role === 'participant');
}
