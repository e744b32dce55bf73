import type { Conversation } from '@nolo/api';
import { matchesFilter } from './filters.ts';

const row = (more: Partial<Conversation>) =>
  ({ id: 'c1', type: 'direct', unreadCount: 0, markedUnread: false, ...more }) as Conversation;

test.each([
  ['all', {}, true],
  ['unread', {}, false],
  ['unread', { unreadCount: 1 }, true],
  ['unread', { markedUnread: true }, true],
  ['unread', { id: 'open' }, true],
  ['groups', {}, false],
  ['groups', { type: 'group' }, true],
  ['people', {}, true],
  ['people', { type: 'group' }, false],
] as const)('the filter %s of %j: %s', (filter, more, expected) => {
  expect(matchesFilter(filter, row(more), 'open')).toBe(expected);
});
