import type { Contact } from '@nolo/api';
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
export function looksLikePhoneNumber(text: string): boolean {
  return /^(\+|00)[\d\s().-]{6,}$/.test(text.trim());
}
