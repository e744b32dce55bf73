import type { Conversation } from '@nolo/api';

/** Person data shown beside messages. */
export interface KnownPerson {
  readonly id: string;
  readonly firstName: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
}

/** People whose names are known from rows, pages of members, or messages, by id. */
export type KnownPeople = Readonly<Record<string, KnownPerson>>;

function isSame(one: KnownPerson | undefined, other: KnownPerson): boolean {
  return (
    one !== undefined &&
    one.firstName === other.firstName &&
    one.displayName === other.displayName &&
    one.profileImageUrl === other.profileImageUrl
  );
}

/** Merges people. Returns the same object if nothing changed. */
export function withPeople(known: KnownPeople, received: Iterable<KnownPerson>): KnownPeople {
  let next: Record<string, KnownPerson> | undefined;
  for (const person of received) {
    if (isSame((next ?? known)[person.id], person)) continue;
    next ??= { ...known };
    const { id, firstName, displayName, profileImageUrl } = person;
    next[id] = { id, firstName, displayName, profileImageUrl };
  }
  return next ?? known;
}

/** Returns the people that a row names. */
export function collectPeopleOfRow(row: Conversation): KnownPerson[] {
  return [row.otherUser, row.participant1, row.participant2].filter((person) => person !== null);
}

/** Returns the senders of messages, where the messages include them. */
export function collectPeopleOfMessages(messages: Iterable<{ sender?: KnownPerson | null }>): KnownPerson[] {
  const people = new Map<string, KnownPerson>();
  for (const { sender } of messages) if (sender) people.set(sender.id, sender);
  return [...people.values()];
}
