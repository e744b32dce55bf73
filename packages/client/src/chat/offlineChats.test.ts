import type { Conversation } from '@nolo/api';
import type { ChatState } from './state.ts';
import { selectOfflineConversations, offlineChatLimits, restoreOfflineChats } from './offlineChats.ts';

const row = (id: string, at: string, presenceStatus = 'online'): Conversation =>
  ({
    id,
    createdAt: at,
    lastMessage: null,
    hiddenAt: null,
    requestedAt: null,
    readSeq: 2,
    changeSeq: 5,
    otherUser: { id: 'you', presenceStatus, isOnline: true },
    participant1: null,
    participant2: null,
  }) as unknown as Conversation;

test('the messages of the latest conversations are stored', () => {
  const rows = Array.from({ length: 60 }, (_, n) => row(`c${n}`, new Date(n * 1_000).toISOString()));
  const conversations = Object.fromEntries(rows.map((one) => [one.id, one]));
  const kept = selectOfflineConversations({ conversations } as unknown as ChatState);
  expect(kept).toHaveLength(offlineChatLimits.timelines);
  expect(kept[0]?.id).toBe('c59');
  expect(kept.at(-1)?.id).toBe('c10');
});

test('stored people are not shown as online', () => {
  const state = restoreOfflineChats({ listed: true, rows: [row('c1', 'now')], timelines: [], unsent: [], people: [] });
  expect(state.conversations?.['c1']?.otherUser).toMatchObject({ presenceStatus: 'offline', isOnline: false });
});

test('a list that was never loaded is not mistaken for an empty one', () => {
  expect(restoreOfflineChats({ listed: false, rows: [], timelines: [], unsent: [], people: [] }).list).toBeUndefined();
  expect(restoreOfflineChats({ listed: true, rows: [], timelines: [], unsent: [], people: [] }).list).toBe('ready');
});

test('an unsent message waits in an unloaded conversation, and is not duplicated in a loaded one', () => {
  const message = { conversationId: 'c1', content: 'hi', createdAt: 1, refused: null };
  const state = restoreOfflineChats({
    listed: true,
    rows: [row('c1', 'now')],
    timelines: [
      {
        conversationId: 'c1',
        activity: 'now',
        changeSeq: 5,
        hasOlder: false,
        count: 1,
        nextExpiry: null,
        messages: [{ clientMessageId: 'arrived' } as never],
      },
    ],
    people: [],
    unsent: [
      { ...message, clientMessageId: 'arrived' },
      { ...message, clientMessageId: 'waits' },
      { ...message, clientMessageId: 'elsewhere', conversationId: 'c2' },
    ],
  });
  expect(state.timelines?.['c1']).toMatchObject({ status: 'ready', unreadAfter: 2 });
  expect(state.timelines?.['c1']?.pending.map((one) => one.clientMessageId)).toEqual(['waits']);
  expect(state.timelines?.['c2']).toMatchObject({ status: 'loading', pending: [{ clientMessageId: 'elsewhere' }] });
});
