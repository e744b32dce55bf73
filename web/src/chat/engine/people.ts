import type { Conversation } from '@nolo/api';

/** What is shown of somebody beside their words. */
export interface KnownPerson {
  readonly id: string;
  readonly firstName: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
}

/** Everybody whose name was told, by id: with a conversation's row, a page of members, or a message. */
export type People = Readonly<Record<string, KnownPerson>>;

function isSame(one: KnownPerson | undefined, other: KnownPerson): boolean {
  return (
    one !== undefined &&
    one.firstName === other.firstName &&
    one.displayName === other.displayName &&
    one.profileImageUrl === other.profileImageUrl
  );
}

/** Puts what was told in place; the same object where nothing is new. */
export function withPeople(known: People, told: Iterable<KnownPerson>): People {
  let next: Record<string, KnownPerson> | undefined;
  for (const person of told) {
    if (isSame((next ?? known)[person.id], person)) continue;
    next ??= { ...known };
    const { id, firstName, displayName, profileImageUrl } = person;
    next[id] = { id, firstName, displayName, profileImageUrl };
  }
  return next ?? known;
}

/** Whom a row names. */
export function peopleOfRow(row: Conversation): KnownPerson[] {
  return [row.otherUser, row.participant1, row.participant2].filter((person) => person !== null);
}

/** Who wrote messages, where the messages say so. */
export function peopleOfMessages(messages: Iterable<{ sender?: KnownPerson | null }>): KnownPerson[] {
  const people = new Map<string, KnownPerson>();
  for (const { sender } of messages) if (sender) people.set(sender.id, sender);
  return [...people.values()];
}
