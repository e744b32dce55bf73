import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { listCurrentAndArchivedConversations, listMessageRequests, listConversationsByActivity } from './chatStore.ts';
import { getConversationActions } from './conversationActions.ts';
import { countUnread } from './countUnread.ts';
import { isMessageRequest } from './hiding.ts';

async function setUp({ words = 2 } = {}) {
  const server = fakeChatServer();
  server.fromStranger();
  for (let n = 0; n < words; n += 1) server.store('you', `words ${n}`, null);
  const clock = fakeTimers();
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: clock.timers,
    newId: () => 'x',
    failureOf: () => ({ passing: false, code: 'internal_error', message: '' }),
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  engine.start();
  server.hello();
  await settlePromises();
  const conversations = () => engine.store.getState().conversations;
  const places = () => ({
    listed:
      listConversationsByActivity(conversations()).length +
      listCurrentAndArchivedConversations(conversations()).current.length,
    requests: listMessageRequests(conversations()).map(({ id }) => id),
    unread: countUnread(Object.values(conversations()), clock.timers.now()),
  });
  const listCursorRequests = () =>
    server.requests.filter((name) => name.includes('move_cursors') || name === 'moveCursors');
  /** Receives a message and waits until the reports for it would have been sent. */
  const receiveMessage = async () => {
    server.push({ type: 'new_message', data: server.store('you', 'more', null) });
    await settlePromises();
    await clock.advance(5_000);
    await settlePromises();
  };
  return { server, engine, clock, conversations, places, listCursorRequests, receiveMessage };
}

const asRequest = { listed: 0, requests: ['c1'], unread: 0 };
const asChat = { listed: 2, requests: [], unread: 3 };

test('a stranger’s message is apart from chats and unread counts, and sends no delivery receipt', async () => {
  const { engine, places, receiveMessage, listCursorRequests } = await setUp();
  expect(places()).toEqual(asRequest);
  await engine.open('c1');
  await receiveMessage();
  expect(places()).toEqual(asRequest);
  expect(listCursorRequests()).toEqual([]);
  engine.stop();
});

test('a request accepted here is a chat like any other, and the delivery receipt is sent', async () => {
  const { server, engine, clock, places, receiveMessage, listCursorRequests } = await setUp();
  await receiveMessage();
  const accepting = getConversationActions(engine).setConversation('c1', { accepted: true });
  expect(places()).toEqual(asChat);
  await accepting;
  server.push({ type: 'conversation_settings', data: server.settings() });
  await clock.advance(5_000);
  await settlePromises();
  expect(places()).toEqual(asChat);
  expect(listCursorRequests()).toHaveLength(1);
  engine.stop();
});

test('a refused acceptance leaves the request', async () => {
  const { server, engine, places } = await setUp();
  server.failNextRequest({});
  await expect(getConversationActions(engine).setConversation('c1', { accepted: true })).rejects.toThrow('refused');
  expect(places()).toEqual(asRequest);
  engine.stop();
});

test('a request accepted on another device is a chat here too', async () => {
  const { server, engine, places, receiveMessage } = await setUp();
  await receiveMessage();
  server.push({ type: 'conversation_settings', data: { ...server.settings(), requestedAt: null } });
  expect(places()).toEqual(asChat);
  engine.stop();
});

test('a conversation without messages has nothing to accept, and the person may write first', async () => {
  const { engine, conversations, places } = await setUp({ words: 0 });
  expect(places()).toEqual({ listed: 0, requests: [], unread: 0 });
  expect(isMessageRequest(conversations()['c1']!)).toBe(false);
  engine.stop();
});

test('a request that was cleared is gone until the stranger writes again', async () => {
  const { engine, places, receiveMessage } = await setUp();
  await getConversationActions(engine).clear('c1', false);
  expect(places()).toEqual({ listed: 0, requests: [], unread: 0 });
  await receiveMessage();
  expect(places()).toEqual(asRequest);
  engine.stop();
});

test('a request whose only message is hidden can still be accepted, as the server lists it', async () => {
  const { engine, conversations, places } = await setUp({ words: 1 });
  await engine.open('c1');
  await getConversationActions(engine).hide('m1');
  expect(conversations()['c1']?.lastMessage).toBeNull();
  expect(places()).toEqual(asRequest);
  engine.stop();
});

test('a row stored by an older version of the app is not a request', () => {
  const kept = { lastSeq: 1, clearedSeq: 0, requestedAt: undefined } as unknown as Parameters<
    typeof isMessageRequest
  >[0];
  expect(isMessageRequest(kept)).toBe(false);
});
