import type { Message } from '@nolo/api';
import type { MessageListEntry } from './timeline.ts';
import { findAlbums } from './album.ts';

const picture = (key: string, seconds: number, more: Partial<Message> = {}, senderId = 'you'): MessageListEntry => ({
  key,
  senderId,
  at: 1_700_000_000_000 + seconds * 1_000,
  message: {
    id: key,
    content: '',
    messageType: 'image',
    fileUrl: '/objects/00000000-0000-4000-8000-000000000000',
    mediaInfo: null,
    previewUrl: null,
    replyTo: null,
    forwarded: false,
    deletedAt: null,
    ...more,
  } as Message,
  pending: null,
});
const together = (entries: readonly MessageListEntry[], unreadKey: string | null = null) => [
  ...new Set([...findAlbums(entries, unreadKey).values()].map((run) => run.map(({ key }) => key).join(' '))),
];

test('pictures by one person within a minute of each other form a group', () => {
  const all = [picture('a', 0), picture('b', 50), picture('c', 100), picture('d', 200), picture('e', 201, {}, 'me')];
  expect(together(all)).toEqual(['a b c']);
});

test('the caption of the first applies to all of them, and another caption starts a new grid', () => {
  const caption = { content: 'Look' };
  expect(together([picture('a', 0, caption), picture('b', 1), picture('c', 2)])).toEqual(['a b c']);
  expect(together([picture('a', 0), picture('b', 1, caption), picture('c', 2)])).toEqual(['b c']);
  expect(together([picture('a', 0, caption), picture('b', 1, caption)])).toEqual([]);
});

test('replies, other kinds and deleted messages stay separate', () => {
  expect(together([picture('a', 0), picture('b', 1, { messageType: 'file' }), picture('c', 2)])).toEqual([]);
  expect(together([picture('a', 0), picture('b', 1, { deletedAt: '2026-01-01' })])).toEqual([]);
  const replyTo = { seq: 1, messageId: 'm', senderId: 'me' };
  expect(together([picture('a', 0), picture('b', 1, { replyTo })])).toEqual([]);
  expect(together([picture('a', 0), picture('b', 1, { messageType: 'video' })])).toEqual(['a b']);
});

test('a grid neither spans the unread marker nor grows beyond a screen', () => {
  expect(together([picture('a', 0), picture('b', 1), picture('c', 2), picture('d', 3)], 'c')).toEqual(['a b', 'c d']);
  const many = Array.from({ length: 11 }, (_, n) => picture(`p${n}`, n));
  expect(together(many).map((run) => run.split(' ').length)).toEqual([9, 2]);
});
