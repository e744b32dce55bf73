import type { Conversation } from '@nolo/api';
import { findNeighbourChat } from './findNeighbourChat.ts';

const chat = (id: string, unreadCount = 0, markedUnread = false) =>
  ({ id, unreadCount, markedUnread }) as unknown as Conversation;
const listed = [chat('a'), chat('b', 2), chat('c'), chat('d', 0, true), chat('e')];

test.each([
  ['b', 1, false, 'c'],
  ['b', -1, false, 'a'],
  ['a', -1, false, undefined],
  ['e', 1, false, undefined],
  [undefined, 1, false, 'a'],
  [undefined, -1, false, 'e'],
  ['b', 1, true, 'd'],
  ['d', -1, true, 'b'],
  ['d', 1, true, undefined],
  [undefined, -1, true, 'd'],
] as const)('moves from %j by %j (only unread: %j) to %j', (openId, step, unread, id) => {
  expect(findNeighbourChat(listed, openId, { step, unread })?.id).toBe(id);
});
