import { jest } from '@jest/globals';
import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { deliveryOf } from './chatStore.ts';

const offline = { passing: true, code: 'network_error', message: '' };

function setUp() {
  const server = fakeChatServer();
  const clock = fakeTimers();
  let ids = 0;
  const refused: boolean[] = [];
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: clock.timers,
    newId: () => `client-${++ids}`,
    failureOf: (error) => error as never,
    onOtherFrame: () => {},
    onRefused: (certain) => refused.push(certain),
  });
  const timeline = () => engine.store.getState().timelines['c1'];
  const texts = () => timeline()?.messages.map((message) => message.content);
  const row = () => engine.store.getState().conversations['c1'];
  const start = async () => {
    engine.start();
    server.hello();
    await settlePromises();
  };
  return { server, clock, engine, timeline, texts, row, start, refused };
}

test('a conversation opens with its newest page, and older pages are added in front', async () => {
  const { server, engine, timeline, start } = setUp();
  for (let n = 1; n <= 120; n++) server.store('you', `text ${n}`, null);
  await server.api.moveCursors([{ conversationId: 'c1', deliveredSeq: 120, readSeq: 95 }]);
  await start();
  await engine.open('c1');
  expect(timeline()?.messages.map((message) => message.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 71));
  await engine.loadOlder('c1');
  await engine.loadOlder('c1');
  expect(timeline()?.messages.map((message) => message.seq)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  expect(timeline()?.hasOlder).toBe(false);
});

test('a row received again without changes is not drawn again', async () => {
  const { server, engine, row, start } = setUp();
  server.store('you', 'hello', null);
  await start();
  const before = engine.store.getState().conversations;
  engine.addConversation(structuredClone(await server.api.getConversation('c1')));
  expect(engine.store.getState().conversations).toBe(before);

  const muted = { ...(await server.api.getConversation('c1')), mutedUntil: '2100-01-01T00:00:00.000Z' };
  engine.addConversation(muted);
  expect(row()?.mutedUntil).toBe(muted.mutedUntil);
  engine.stop();
});

test('an early hello fetches the list once, and a late one does not delay it', async () => {
  const quick = setUp();
  await quick.start();
  expect(quick.server.requests).toEqual(['listConversations']);
  const slow = setUp();
  slow.engine.start();
  await settlePromises();
  expect(slow.row()).toBeDefined();
  slow.server.hello();
  await settlePromises();
  expect(slow.server.requests).toEqual(['listConversations', 'listConversations']);
});

test('many unread messages are loaded with some read ones before them', async () => {
  const { server, engine, timeline, start } = setUp();
  for (let n = 1; n <= 120; n++) server.store('you', `text ${n}`, null);
  await server.api.moveCursors([{ conversationId: 'c1', deliveredSeq: 120, readSeq: 70 }]);
  await start();
  await engine.open('c1');
  expect(timeline()?.messages[0]?.seq).toBe(21);
});

test('a conversation that was just received opens with a single request, for its messages', async () => {
  const { server, engine, texts, start } = setUp();
  server.store('you', 'hello', null);
  await start();
  engine.addConversation(await server.api.getConversation('c1'));
  const conversationRequests = jest.spyOn(server.api, 'getConversation');
  await engine.open('c1');
  expect(texts()).toEqual(['hello']);
  expect(conversationRequests).not.toHaveBeenCalled();
});

test('a page from before the app started is used once, and later changes are fetched', async () => {
  const { server, engine, texts, timeline, start } = setUp();
  server.store('me', 'hello', null);
  server.store('me', 'words', null);
  const before = await server.api.getConversation('c1');
  const { items, nextCursor } = await server.api.listMessages('c1', {});
  const pages = [{ items, nextCursor, asOf: before.changeSeq }];
  server.api.takeEarlyPage = async () => pages.shift();
  server.change('m1', { content: 'hello again' });
  server.requests.length = 0;
  // The list, which loads later, includes the change, but the page does not.
  await start();
  await engine.open('c1');
  await settlePromises();
  expect(texts()).toEqual(['hello again', 'words']);
  expect(timeline()?.changeSeq).toBe(before.changeSeq + 1);
  expect(server.requests).not.toContain('listMessages');
  engine.stop();
});

test('a sent message shows at once and is replaced by the stored one', async () => {
  const { engine, timeline, texts, row, start } = setUp();
  await start();
  await engine.open('c1');
  engine.send('c1', 'hello');
  expect(timeline()?.pending).toMatchObject([{ content: 'hello', state: 'sending' }]);
  await settlePromises();
  expect(timeline()?.pending).toEqual([]);
  expect(texts()).toEqual(['hello']);
  expect(row()).toMatchObject({ unreadCount: 0, lastMessage: { content: 'hello' } });
});

test('the live frame of a sent message that overtakes the answer does not show it twice', async () => {
  const { server, engine, timeline, texts, start } = setUp();
  await start();
  await engine.open('c1');
  engine.send('c1', 'hello');
  server.push({ type: 'new_message', data: server.store('me', 'hello', 'client-1') });
  expect(texts()).toEqual(['hello']);
  expect(timeline()?.pending).toEqual([]);
  await settlePromises();
  expect(texts()).toEqual(['hello']);
});

test('messages written without a connection wait, keep their order and are sent once', async () => {
  const { server, clock, engine, timeline, texts, start } = setUp();
  await start();
  await engine.open('c1');
  server.failNextRequest(offline);
  engine.send('c1', 'first');
  engine.send('c1', 'second');
  await settlePromises();
  expect(timeline()?.pending.map(({ content, state }) => `${content} ${state}`)).toEqual([
    'first waiting',
    'second waiting',
  ]);
  await clock.advance(1_000);
  await settlePromises();
  expect(texts()).toEqual(['first', 'second']);
  expect(server.messages).toHaveLength(2);
});

test('a refused message has a reason, does not block the next one, and can be retried or dropped', async () => {
  const { server, engine, timeline, texts, start } = setUp();
  await start();
  await engine.open('c1');
  server.failNextRequest({ passing: false, code: 'blocked', message: 'You cannot write here.' });
  engine.send('c1', 'refused');
  engine.send('c1', 'fine');
  await settlePromises();
  expect(texts()).toEqual(['fine']);
  expect(timeline()?.pending).toMatchObject([{ state: 'failed', reason: { code: 'blocked' } }]);
  engine.retry('c1', 'client-1');
  await settlePromises();
  expect(texts()).toEqual(['fine', 'refused']);
});

test('a gap in changeSeq is filled by fetching the changes', async () => {
  const { server, engine, texts, start } = setUp();
  server.store('you', 'one', null);
  await start();
  await engine.open('c1');
  server.store('you', 'lost', null);
  server.push({ type: 'new_message', data: server.store('you', 'three', null) });
  await settlePromises();
  expect(texts()).toEqual(['one', 'lost', 'three']);
});

test('a client fetches what it missed after a disconnect: messages, edits, erasures and receipts', async () => {
  const { server, clock, engine, timeline, texts, row, start } = setUp();
  server.store('me', 'one', null);
  server.store('me', 'two', null);
  await start();
  await engine.open('c1');
  server.cut();
  server.change('m1', { content: 'one, edited' });
  server.change('m2', { content: '', deletedAt: new Date().toISOString() });
  server.store('you', 'three', null);
  server.receipt(2, 2);
  await clock.advance(1_500);
  server.hello();
  await settlePromises();
  expect(texts()).toEqual(['one, edited', '', 'three']);
  expect(deliveryOf(timeline()!.messages[0]!, row()!, 'me')).toBe('read');
});

test('a device that missed thousands of changes starts again from the newest messages', async () => {
  const { server, clock, engine, timeline, start } = setUp();
  server.store('you', 'one', null);
  await start();
  await engine.open('c1');
  server.cut();
  for (let n = 2; n <= 3_000; n++) server.store('you', `text ${n}`, null);
  await clock.advance(1_500);
  server.hello();
  await settlePromises();
  const seqs = timeline()!.messages.map((message) => message.seq);
  expect(seqs.at(-1)).toBe(3_000);
  expect(seqs.every((seq, index) => index === 0 || seq === seqs[index - 1]! + 1)).toBe(true);
});

test('a failed fetch after a disconnect is retried without any new event', async () => {
  const { server, clock, engine, texts, start } = setUp();
  server.store('you', 'one', null);
  await start();
  await engine.open('c1');
  server.cut();
  server.store('you', 'missed', null);
  await clock.advance(1_500);
  server.failNextRequest({ ...offline, code: 'service_unavailable' });
  server.hello();
  await settlePromises();
  expect(texts()).toEqual(['one']);
  await clock.advance(1_000);
  expect(texts()).toEqual(['one', 'missed']);
});

test('a late edit does not revert a newer state', async () => {
  const { server, engine, texts, start } = setUp();
  server.store('you', 'one', null);
  await start();
  await engine.open('c1');
  const older = server.change('m1', { content: 'edited' });
  const newer = server.change('m1', { content: 'edited again' });
  server.push({ type: 'message_updated', data: newer });
  server.push({ type: 'message_updated', data: older });
  await settlePromises();
  expect(texts()).toEqual(['edited again']);
});

test('unread messages are counted until the conversation is read, here or on another device', async () => {
  const { server, engine, row, start } = setUp();
  await start();
  server.push({ type: 'new_message', data: server.store('you', 'one', null) });
  server.push({ type: 'new_message', data: server.store('you', 'two', null) });
  expect(row()?.unreadCount).toBe(2);
  server.push({ type: 'read_cursor', data: { conversationId: 'c1', readSeq: 1, unreadCount: 1 } });
  expect(row()?.unreadCount).toBe(1);
  engine.markRead('c1');
  expect(row()?.unreadCount).toBe(0);
});

test('a typing indicator ends by itself, and with the message', async () => {
  const { server, clock, engine, start } = setUp();
  await start();
  const typing = () => Object.keys(engine.store.getState().typing['c1'] ?? {});
  server.push({ type: 'typing_start', data: { conversationId: 'c1', userId: 'you' } });
  expect(typing()).toEqual(['you']);
  await clock.advance(7_000);
  expect(typing()).toEqual([]);
  server.push({ type: 'typing_start', data: { conversationId: 'c1', userId: 'you' } });
  server.push({ type: 'new_message', data: server.store('you', 'done', null) });
  expect(typing()).toEqual([]);
});

test('typing is sent at most every three seconds, and ends when the message is sent', async () => {
  const { server, clock, engine, start } = setUp();
  await start();
  engine.typing('c1', true);
  engine.typing('c1', true);
  await clock.advance(3_000);
  engine.typing('c1', true);
  engine.send('c1', 'done');
  expect(server.requests.filter((name) => name.startsWith('socket typing'))).toEqual([
    'socket typing_start',
    'socket typing_start',
    'socket typing_stop',
  ]);
});

test('a completed or declined call leaves nothing unread, but a missed one does', async () => {
  const { server, row, start } = setUp();
  await start();
  const called = (outcome: string) => {
    const systemMessage = { kind: 'call', callId: 'call-1', callType: 'audio', outcome, durationSeconds: 5 };
    const message = { ...server.store('you', JSON.stringify(systemMessage), null), messageType: 'system' as const };
    server.push({ type: 'new_message', data: message });
    return row()?.unreadCount;
  };
  expect(called('completed')).toBe(0);
  expect(called('declined')).toBe(0);
  expect(called('missed')).toBe(1);
  // Completed calls count as unread next to other unread messages.
  expect(called('completed')).toBe(2);
});
