import type { Contact, User } from '@nolo/api';
import type { ContactGroup } from './contactGroups.ts';

export type ContactListItem =
  { kind: 'contact'; contact: Contact } | { kind: 'person'; person: User } | { kind: 'searching' };

export interface ContactListSection {
  /** Letter, or one of the headings that the list translates. */
  heading: string;
  items: ContactListItem[];
}

interface Sections {
  groups: readonly ContactGroup[];
  people: readonly User[];
  searching: boolean;
  headings: { contacts: string; people: string };
}

/** Returns contacts by letter. During a search, returns matching contacts first and then other people. */
export function toContactListSections(
  search: boolean,
  { groups, people, searching, headings }: Sections,
): ContactListSection[] {
  const letters = groups.map(({ heading, contacts }) => ({
    heading,
    items: contacts.map((contact): ContactListItem => ({ kind: 'contact', contact })),
  }));
  if (!search) return letters;
  const found = letters.flatMap((group) => group.items);
  const others = people.map((person): ContactListItem => ({ kind: 'person', person }));
  if (searching && others.length === 0) others.push({ kind: 'searching' });
  return [
    ...(found.length > 0 ? [{ heading: headings.contacts, items: found }] : []),
    ...(others.length > 0 ? [{ heading: headings.people, items: others }] : []),
  ];
}
