import type { Contact, User } from '@nolo/api';
import type { ContactGroup } from './contactGroups.ts';

export type ListItem = { kind: 'contact'; contact: Contact } | { kind: 'person'; person: User } | { kind: 'searching' };

export interface ListGroup {
  /** Letter, or one of the headings that the list translates. */
  heading: string;
  items: ListItem[];
}

interface Sections {
  groups: readonly ContactGroup[];
  people: readonly User[];
  searching: boolean;
  headings: { contacts: string; people: string };
}

/** Returns contacts by letter. During a search, returns matching contacts first and then other people. */
export function listGroups(search: boolean, { groups, people, searching, headings }: Sections): ListGroup[] {
  const letters = groups.map(({ heading, contacts }) => ({
    heading,
    items: contacts.map((contact): ListItem => ({ kind: 'contact', contact })),
  }));
  if (!search) return letters;
  const found = letters.flatMap((group) => group.items);
  const others = people.map((person): ListItem => ({ kind: 'person', person }));
  if (searching && others.length === 0) others.push({ kind: 'searching' });
  return [
    ...(found.length > 0 ? [{ heading: headings.contacts, items: found }] : []),
    ...(others.length > 0 ? [{ heading: headings.people, items: others }] : []),
  ];
}
