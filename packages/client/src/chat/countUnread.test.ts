import type { Conversation } from '@nolo/api';
import { countUnread, hasAnyUnreadMention } from './countUnread.ts';

const now = Date.parse('2026-03-02T08:00:00Z');
const row = (more: Partial<Conversation>): Conversation =>
  ({
    type: 'direct',
    unreadCount: 0,
    markedUnread: false,
    mutedUntil: null,
    archivedAt: null,
    ...more,
  }) as Conversation;
const count = (...rows: Partial<Conversation>[]) => countUnread(rows.map(row), now);

test('the title counts what is unread in all conversations', () => {
  expect(count({ unreadCount: 2 }, { type: 'group', unreadCount: 3 }, {})).toBe(5);
});

test('muted and archived conversations and those of meetings are not counted', () => {
  expect(count({ unreadCount: 2, mutedUntil: '2026-03-02T08:00:01Z' })).toBe(0);
  expect(count({ unreadCount: 2, mutedUntil: '2026-03-02T08:00:00Z' })).toBe(2);
  expect(count({ unreadCount: 2, archivedAt: '2026-03-01T08:00:00Z' })).toBe(0);
  expect(count({ unreadCount: 2, type: 'meeting' })).toBe(0);
  expect(count({ markedUnread: true, mutedUntil: '2027-03-02T08:00:00Z' })).toBe(0);
});

test('a conversation marked as unread counts as one', () => {
  expect(count({ markedUnread: true }, { markedUnread: true, unreadCount: 4 })).toBe(5);
});

test('a mention counts while it is unread, unless it is muted', () => {
  const mentioned = (more: Partial<Conversation>) =>
    hasAnyUnreadMention([row({ mentionSeq: 4, readSeq: 3, ...more })], now);
  expect(mentioned({})).toBe(true);
  expect(mentioned({ readSeq: 4 })).toBe(false);
  expect(mentioned({ mentionSeq: null })).toBe(false);
  expect(mentioned({ mutedUntil: '2027-03-02T08:00:00Z' })).toBe(false);
});
