import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { listCurrentAndArchivedConversations, hasUnreadMention, listConversationsByActivity } from './chatStore.ts';
import { getConversationActions } from './conversationActions.ts';
import { joinMessageListEntries } from './entries.ts';
import { restoreOfflineTimeline } from './offlineChats.ts';
import { createEmptyTimeline } from './timeline.ts';

async function setUp() {
  const server = fakeChatServer();
  for (const text of ['one', 'two', 'three']) server.store('you', text, null);
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: fakeTimers().timers,
    newId: () => 'x',
    failureOf: () => ({ passing: false, code: 'blocked', message: '' }),
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  engine.start();
  server.hello();
  await settlePromises();
  await engine.open('c1');
  const state = () => engine.store.getState();
  const shown = () =>
    joinMessageListEntries(state().timelines['c1']?.messages ?? [], [], 'me').map(({ message }) => message?.content);
  return { server, engine, state, shown, row: () => state().conversations['c1']! };
}

test('a hidden message appears nowhere, and the list shows the one before it', async () => {
  const { engine, shown, row } = await setUp();
  await getConversationActions(engine).hide('m3');
  expect(shown()).toEqual(['one', 'two']);
  expect(row().lastMessage?.content).toBe('two');
  engine.stop();
});

test('messages hidden on another device are hidden here too, live and after a disconnect', async () => {
  const { server, engine, shown, row, state } = await setUp();
  const { changeSeq } = server.change('m3', { content: '', deletedAt: '2026-01-01T00:00:00.000Z', hidden: true });
  const place = { conversationId: 'c1', messageId: 'm3', seq: 3, changeSeq };
  server.push({ type: 'message_hidden', data: place });
  expect(shown()).toEqual(['one', 'two']);
  expect(row().lastMessage?.content).toBe('two');
  expect(state().timelines['c1']?.changeSeq).toBe(changeSeq);
  server.change('m2', { content: '', deletedAt: '2026-01-01T00:00:00.000Z', hidden: true });
  server.push({ type: 'sync_required', data: {} });
  await settlePromises();
  expect(shown()).toEqual(['one']);
  expect(row().lastMessage?.content).toBe('one');
  engine.stop();
});

test('a cleared conversation is empty and read, and continues', async () => {
  const { server, engine, shown, row, state } = await setUp();
  await getConversationActions(engine).clear('c1', false);
  expect(shown()).toEqual([]);
  expect(row()).toMatchObject({ lastMessage: null, unreadCount: 0, clearedSeq: 3 });
  expect(listConversationsByActivity(state().conversations)).toHaveLength(1);
  server.push({ type: 'new_message', data: server.store('you', 'four', null) });
  await settlePromises();
  expect(shown()).toContain('four');
  expect(row().lastMessage?.content).toBe('four');
  engine.stop();
});

test('a deleted conversation is in no list until there is a new message', async () => {
  const { server, engine, row, state } = await setUp();
  await getConversationActions(engine).clear('c1', true);
  expect(listCurrentAndArchivedConversations(state().conversations)).toEqual({ current: [], archived: [] });
  server.push({ type: 'new_message', data: server.store('you', 'four', null) });
  await settlePromises();
  expect(listCurrentAndArchivedConversations(state().conversations).current).toEqual([row()]);
  engine.stop();
});

test('a clear on another device arrives with the settings, and empties the device’s store', async () => {
  const { server, engine, shown, state, row } = await setUp();
  const settings = {
    archivedAt: null,
    pinnedAt: null,
    mutedUntil: null,
    mutedExceptMentions: false,
    markedUnread: false,
  };
  server.push({
    type: 'conversation_settings',
    data: { conversationId: 'c1', ...settings, clearedSeq: 2, hiddenAt: null, requestedAt: null },
  });
  expect(shown()).toEqual(['three']);
  expect(row().lastMessage?.content).toBe('three');
  const { messages } = state().timelines['c1']!;
  const kept = {
    conversationId: 'c1',
    activity: '',
    changeSeq: 3,
    hasOlder: true,
    count: 1,
    nextExpiry: null,
    messages,
  };
  expect(restoreOfflineTimeline(createEmptyTimeline(0, 0), kept, 3)).toMatchObject({ messages: [], hasOlder: false });
  engine.stop();
});

test('a message that mentions the person is marked until it is read', async () => {
  const { server, engine, row } = await setUp();
  engine.close('c1');
  const message = server.store('you', '@me', null);
  server.push({ type: 'new_message', data: { ...message, mentions: ['me'] } });
  expect(hasUnreadMention(row())).toBe(true);
  server.push({ type: 'read_cursor', data: { conversationId: 'c1', readSeq: message.seq, unreadCount: 0 } });
  expect(hasUnreadMention(row())).toBe(false);
  engine.stop();
});
