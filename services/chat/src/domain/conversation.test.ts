import type { ConversationId, UserId } from '@nolo/kit/ids';
import { buildDirectConversationKey, membersAsSeenBy, computeUnreadCount, type Member } from './conversation.ts';

const alice = 'a' as UserId;
const bob = 'b' as UserId;

const member = (userId: UserId, sharesReceipts: boolean): Member => ({
  conversationId: 'c' as ConversationId,
  userId,
  role: 'member',
  deliveredSeq: 5,
  readSeq: 4,
  changeSeq: 9,
  joinedAt: new Date(0),
  leftAt: null,
  sharesReceipts,
});

const seenBy = (viewer: UserId, aliceShares: boolean, bobShares: boolean) =>
  membersAsSeenBy([member(alice, aliceShares), member(bob, bobShares)], viewer).map(({ deliveredSeq, readSeq }) => [
    deliveredSeq,
    readSeq,
  ]);

test('receipts are mutual', () => {
  expect(seenBy(alice, true, true)).toEqual([
    [5, 4],
    [5, 4],
  ]);
  expect(seenBy(alice, true, false)).toEqual([
    [5, 4],
    [0, 0],
  ]);
  expect(seenBy(alice, false, true)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(seenBy('stranger' as UserId, true, true)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('both members of a pair map to one key', () => {
  expect(buildDirectConversationKey(bob, alice)).toBe(buildDirectConversationKey(alice, bob));
});

test('everything after the cursor is unread, and the count is never negative', () => {
  expect(computeUnreadCount(7, 3)).toBe(4);
  expect(computeUnreadCount(3, 7)).toBe(0);
});
