import type { Contact } from '@nolo/api';
import { compareNames, foldText } from '@nolo/rules';

/** The heading a name stands under: its first letter without accents, or # for what is no letter. */
export function headingOf(name: string): string {
  const [first = ''] = foldText(name.trim());
  return /\p{L}/u.test(first) ? first.toUpperCase() : '#';
}

/** Sorts by name as the server does, except that names that begin with no letter come last. */
export function sortContacts(contacts: readonly Contact[]): Contact[] {
  const isOther = (contact: Contact) => Number(headingOf(contact.displayName) === '#');
  return contacts.toSorted((a, b) => isOther(a) - isOther(b) || compareNames(a.displayName, b.displayName));
}

export interface ContactGroup {
  heading: string;
  contacts: Contact[];
}

/** Contacts under their headings. The order is kept, so pages that come later only add to the end. */
export function groupContacts(contacts: readonly Contact[]): ContactGroup[] {
  const groups: ContactGroup[] = [];
  for (const contact of contacts) {
    const heading = headingOf(contact.displayName);
    const last = groups.at(-1);
    if (last?.heading === heading) last.contacts.push(contact);
    else groups.push({ heading, contacts: [contact] });
  }
  return groups;
}

/** The same search as the server's, for a list that is here as a whole: a part of the name or of the number. */
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

/** Whether what was typed into a search is a number one could add. */
export function looksLikePhoneNumber(text: string): boolean {
  return /^(\+|00)[\d\s().-]{6,}$/.test(text.trim());
}
