import type { Contact } from '@nolo/api';
import {
  filterContacts,
  groupContacts,
  toContactHeading,
  looksLikePhoneNumber,
  sortContacts,
  toContactListSections,
} from './contactGroups.ts';

const contact = (displayName: string, phoneNumber: string | null = null) =>
  ({ id: displayName, displayName, phoneNumber }) as Contact;
const names = (contacts: readonly Contact[]) => contacts.map(({ displayName }) => displayName);

test.each([
  ['Amara', 'A'],
  ['élodie', 'E'],
  ['  busi', 'B'],
  ['+27 82', '#'],
  ['😀 Zoe', '#'],
  ['', '#'],
  ['日本', '日'],
  ['Øyvind', 'O'],
  ['İpek', 'I'],
])('%p is listed under %p', (name, heading) => {
  expect(toContactHeading(name)).toBe(heading);
});

test('contacts are sorted as people sort names, numbers last, and grouped', () => {
  const sorted = sortContacts(['Zanele', '+27 82', 'Élodie', 'eben', 'Fana'].map((name) => contact(name)));
  expect(names(sorted)).toEqual(['eben', 'Élodie', 'Fana', 'Zanele', '+27 82']);
  expect(groupContacts(sorted).map(({ heading, contacts }) => [heading, contacts.length])).toEqual([
    ['E', 2],
    ['F', 1],
    ['Z', 1],
    ['#', 1],
  ]);
});

test('a search finds parts of names regardless of accents, and parts of numbers regardless of spaces', () => {
  const all = [contact('Élodie', '+27825550147'), contact('Busi')];
  expect(names(filterContacts(all, 'elo'))).toEqual(['Élodie']);
  expect(names(filterContacts([contact('İpek')], 'İpek'))).toEqual(['İpek']);
  expect(names(filterContacts([contact('Weiß')], 'WEISS'))).toEqual(['Weiß']);
  expect(names(filterContacts(all, '82 555'))).toEqual(['Élodie']);
  expect(names(filterContacts(all, ' '))).toEqual(['Élodie', 'Busi']);
  expect(filterContacts(all, 'nobody')).toEqual([]);
});

test('a number in the search can be added', () => {
  expect(looksLikePhoneNumber('+27 82 555 0147')).toBe(true);
  expect(looksLikePhoneNumber('Busi 2')).toBe(false);
});

test('contacts that a search finds come first, then other people', () => {
  const sections = {
    groups: groupContacts([contact('Busi')]),
    people: [],
    searching: true,
    headings: { contacts: 'Contacts', people: 'Others' },
  };
  expect(toContactListSections(false, sections).map(({ heading }) => heading)).toEqual(['B']);
  expect(toContactListSections(true, sections).map(({ heading, items }) => [heading, items[0]?.kind])).toEqual([
    ['Contacts', 'contact'],
    ['Others', 'searching'],
  ]);
  expect(toContactListSections(true, { ...sections, groups: [], searching: false })).toEqual([]);
});
