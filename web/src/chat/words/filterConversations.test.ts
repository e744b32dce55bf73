import type { Conversation } from '@nolo/api';
import { filterConversations } from './filterConversations.ts';

const row = (id: string, displayName: string, content: string, deletedAt: string | null = null) =>
  ({ id, otherUser: { displayName }, lastMessage: { content, deletedAt } }) as Conversation;
const rows = [
  row('a', 'Amara Dlamini', 'The light'),
  row('b', 'Thabo', 'See amara there'),
  row('c', 'Lena', 'Amara', 'x'),
];
const found = (query: string) => filterConversations(rows, query).map(({ id }) => id);

test('name or last message text, whatever the case', () => {
  expect(found('AMARA')).toEqual(['a', 'b']);
  expect(found(' light ')).toEqual(['a']);
  expect(found('nothing')).toEqual([]);
});

test('blank words filter nothing', () => {
  expect(filterConversations(rows, '  ')).toBe(rows);
});
