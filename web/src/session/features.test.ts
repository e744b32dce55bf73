import { sectionOf, visibleSections } from './features.ts';

const names = (features: Record<string, boolean>) => visibleSections(features).map((place) => place.section);

test('features that do not exist are not shown', () => {
  expect(names({})).toEqual(['chats', 'contacts', 'profile']);
  expect(names({ meetings: true, social: true })).toEqual(['chats', 'contacts', 'meetings', 'schedule', 'profile']);
});

test.each([
  ['/', 'chats'],
  ['/chat/abc', 'chats'],
  ['/group-chat/ABC234', 'chats'],
  ['/search/chat/abc', 'chats'],
  ['/meeting/ABC234', 'meetings'],
  ['/contacts', 'contacts'],
  ['/contacts/abc', 'contacts'],
  ['/calls', 'calls'],
  ['/profile', 'profile'],
  ['/chatter', undefined],
])('%s belongs to %s', (path, section) => {
  expect(sectionOf(path)).toBe(section);
});
