import type { Message } from '@nolo/api';
import { firstListIndex, findFirstUnreadIndex, splitHiddenNeighbour, joinMessageListEntries } from './entries.ts';
import { toEntryBoundaries } from './entryBoundaries.ts';

const noon = new Date(2026, 4, 12, 12).getTime();
const minute = 60_000;

function message(seq: number, senderId: string, at: number, fields: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    conversationId: 'c',
    senderId,
    sender: null,
    seq,
    changeSeq: seq,
    content: `text ${seq}`,
    encryption: 'none',
    messageType: 'text',
    clientMessageId: null,
    fileUrl: null,
    fileName: null,
    fileSize: null,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: null,
    mentions: [],
    replyTo: null,
    forwarded: false,
    linkPreview: null,
    reactions: [],
    pinnedAt: null,
    expiresAt: null,
    createdAt: new Date(at).toISOString(),
    editedAt: null,
    deletedAt: null,
    ...fields,
  };
}

const places = (messages: Message[], unreadKey: string | null = null, more = false) => {
  const { shown, hiddenNeighbour } = splitHiddenNeighbour(joinMessageListEntries(messages, [], 'me'), more);
  return shown.map((_, index) => toEntryBoundaries(shown, index, unreadKey, hiddenNeighbour));
};
const summarizePlaces = (all: ReturnType<typeof places>) =>
  all.map(
    (place) =>
      `${place.startsDay ? 'D' : ''}${place.startsUnread ? 'U' : ''}${place.startsGroup ? '[' : ''}${place.endsGroup ? ']' : ''}`,
  );

test('messages by one author within five minutes form one group', () => {
  expect(
    summarizePlaces(
      places([
        message(1, 'me', noon),
        message(2, 'me', noon + 4 * minute),
        message(3, 'me', noon + 9 * minute),
        message(4, 'you', noon + 9 * minute),
      ]),
    ),
  ).toEqual(['D[', ']', '[]', '[]']);
});

test('a new day starts with a separator and a new group', () => {
  const midnight = new Date(2026, 4, 13).getTime();
  expect(summarizePlaces(places([message(1, 'me', midnight - minute), message(2, 'me', midnight + minute)]))).toEqual([
    'D[]',
    'D[]',
  ]);
});

test('the first message is held back while older ones may come, so that the next keeps its shape', () => {
  const all = [message(1, 'me', noon), message(2, 'me', noon + minute), message(3, 'you', noon + 2 * minute)];
  expect(summarizePlaces(places(all, null, true))).toEqual([']', '[]']);
  expect(summarizePlaces(places(all, null, true))).toEqual(summarizePlaces(places(all)).slice(1));
  expect(summarizePlaces(places(all.slice(0, 1), null, true))).toEqual(['D[]']);
});

test('the unread marker splits a group', () => {
  expect(summarizePlaces(places([message(1, 'you', noon), message(2, 'you', noon + 1)], 'm2'))).toEqual(['D[]', 'U[]']);
});

test('a system message stands alone', () => {
  const system = message(2, 'you', noon + 1, { messageType: 'system' });
  expect(summarizePlaces(places([message(1, 'you', noon), system, message(3, 'you', noon + 2)]))).toEqual([
    'D[]',
    '[]',
    '[]',
  ]);
});

test('the marker is above the first message by another person beyond the read cursor', () => {
  const entries = joinMessageListEntries(
    [message(1, 'you', noon), message(2, 'me', noon), message(3, 'you', noon)],
    [],
    'me',
  );
  expect(findFirstUnreadIndex(entries, 1, 'me')).toBe(2);
  expect(findFirstUnreadIndex(entries, 3, 'me')).toBe(-1);
  expect(findFirstUnreadIndex(entries, null, 'me')).toBe(-1);
});

test('a message keeps its key once the server has stored it', () => {
  const pending = { clientMessageId: 'x', content: 'hi', createdAt: noon, state: 'sending' as const };
  const before = joinMessageListEntries([], [pending], 'me');
  const after = joinMessageListEntries([message(1, 'me', noon, { clientMessageId: 'x' })], [], 'me');
  expect(before[0]!.key).toBe(after[0]!.key);
});

test('disappeared messages have no row, and the others keep their numbers when older ones come', () => {
  const gone = { content: '', expiresAt: '2026-01-01T00:00:00.000Z', deletedAt: '2026-01-01T00:00:00.000Z' };
  const all = [1, 2, 3, 4, 5, 6].map((seq) => message(seq, 'you', noon, seq % 3 === 0 ? gone : {}));
  const numbers = (messages: Message[]) => {
    const entries = joinMessageListEntries(messages, [], 'me');
    const first = firstListIndex(entries, 6);
    return Object.fromEntries(entries.map(({ key }, index) => [key, first + index]));
  };
  expect(Object.keys(numbers(all))).toEqual(['m1', 'm2', 'm4', 'm5']);
  expect(numbers(all)).toMatchObject(numbers(all.slice(3)));
});

test('a message keeps its entry when older ones come', () => {
  const all = [1, 2, 3, 4].map((seq) => message(seq, 'you', noon + seq));
  const before = joinMessageListEntries(all.slice(2), [], 'me');
  expect(
    joinMessageListEntries(all, [], 'me')
      .slice(2)
      .every((entry, index) => entry === before[index]),
  ).toBe(true);
});

test('pictures that an older page may extend wait for it together', () => {
  const picture = (seq: number) => message(seq, 'you', noon + seq, { content: '', messageType: 'image' });
  const shownOf = (messages: Message[], more = true, wanted?: number) => {
    const { shown, hiddenNeighbour } = splitHiddenNeighbour(joinMessageListEntries(messages, [], 'me'), more, wanted);
    return [hiddenNeighbour?.key, ...shown.map(({ key }) => key)].join(' ');
  };
  const all = [picture(1), picture(2), picture(3), message(4, 'you', noon + 4), picture(5), picture(6)];
  expect(shownOf(all)).toBe('m3 m4 m5 m6');
  expect(shownOf(all, false)).toBe(' m1 m2 m3 m4 m5 m6');
  // The user jumped to one of them, or there is nothing else to show.
  expect(shownOf(all, true, 2)).toBe('m1 m2 m3 m4 m5 m6');
  expect(shownOf(all.slice(0, 3))).toBe('m1 m2 m3');
});
