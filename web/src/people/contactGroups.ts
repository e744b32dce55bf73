import type { Contact, User } from '@nolo/api';
import { compareNames, foldText } from '@nolo/rules';

/** Returns the heading of a name: its first letter without accents, or # for other characters. */
export function toContactHeading(name: string): string {
  const [first = ''] = foldText(name.trim());
  return /\p{L}/u.test(first) ? first.toUpperCase() : '#';
}

/** Sorts by name as the server does, except that names starting with other characters come last. */
export function sortContacts(contacts: readonly Contact[]): Contact[] {
  const isOther = (contact: Contact) => Number(toContactHeading(contact.displayName) === '#');
  return contacts.toSorted((a, b) => isOther(a) - isOther(b) || compareNames(a.displayName, b.displayName));
}

export interface ContactGroup {
  heading: string;
  contacts: Contact[];
}

/** Groups contacts under their headings in the given order, so that later pages only append. */
export function groupContacts(contacts: readonly Contact[]): ContactGroup[] {
  const groups: ContactGroup[] = [];
  for (const contact of contacts) {
    const heading = toContactHeading(contact.displayName);
    const last = groups.at(-1);
    if (last?.heading === heading) last.contacts.push(contact);
    else groups.push({ heading, contacts: [contact] });
  }
  return groups;
}

/** Filters a complete list as the server does: by part of the name or number. */
export function filterContacts(contacts: readonly Contact[], search: string): readonly Contact[] {
  const wanted = foldText(search.trim());
  if (wanted === '') return contacts;
  const digits = search.replace(/[\s().-]/g, '');
  const byNumber = /^\+?\d+$/.test(digits);
  return contacts.filter(
    ({ displayName, phoneNumber }) =>
      foldText(displayName).includes(wanted) || (byNumber && phoneNumber?.includes(digits) === true),
  );
}

/** Returns true if a search query is a number that could be added. */
export const looksLikePhoneNumber = (text: string): boolean => /^(\+|00)[\d\s().-]{6,}$/.test(text.trim());

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
