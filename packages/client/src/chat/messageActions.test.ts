import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { getConversationActions } from './conversationActions.ts';
import { listCurrentAndArchivedConversations } from './chatStore.ts';

async function setUp() {
  const server = fakeChatServer();
  const stored = server.store('you', 'hello', null);
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
  const message = () => state().timelines['c1']?.messages[0];
  return { server, engine, state, message, id: stored.id };
}

test('a reaction shows at once, and then as the server has it', async () => {
  const { engine, state, message, id } = await setUp();
  const done = getConversationActions(engine).react(id, '👍');
  expect(state().optimisticUpdates[id]).toEqual({ reaction: '👍' });
  await done;
  expect(state().optimisticUpdates[id]).toBeUndefined();
  expect(message()?.reactions).toEqual([{ userId: 'me', emoji: '👍' }]);
  await getConversationActions(engine).react(id, null);
  expect(message()?.reactions).toEqual([]);
  engine.stop();
});

test('a refused action is reverted', async () => {
  const { server, engine, state, message, id } = await setUp();
  server.failNextRequest({});
  await expect(getConversationActions(engine).react(id, '👍')).rejects.toThrow();
  expect(state().optimisticUpdates[id]).toBeUndefined();
  expect(message()?.reactions).toEqual([]);
  server.failNextRequest({});
  await expect(getConversationActions(engine).star(id, true)).rejects.toThrow();
  expect(state().starred[id]).toBeUndefined();
  server.failNextRequest({});
  await expect(getConversationActions(engine).setConversation('c1', { archived: true })).rejects.toThrow();
  expect(state().conversations['c1']?.archivedAt).toBeNull();
  engine.stop();
});

test('the last of two reactions in quick succession wins', async () => {
  const { engine, state, message, id } = await setUp();
  const both = [getConversationActions(engine).react(id, '👍'), getConversationActions(engine).react(id, '😮')];
  expect(state().optimisticUpdates[id]?.reaction).toBe('😮');
  await Promise.all(both);
  expect(state().optimisticUpdates[id]).toBeUndefined();
  expect(message()?.reactions).toEqual([{ userId: 'me', emoji: '😮' }]);
  engine.stop();
});

describe('a reaction event', () => {
  const createReactionFrame = (
    server: ReturnType<typeof fakeChatServer>,
    id: string,
    userId: string,
    emoji: string | null,
  ) => {
    const known = server.change(id, {});
    const others = known.reactions.filter((one) => one.userId !== userId);
    const reactions = emoji === null ? others : [...others, { userId, emoji }];
    // The server's row has all reactions. The frame has only this one.
    Object.assign(known, { reactions });
    const { conversationId, seq, changeSeq } = known;
    return {
      type: 'message_reaction',
      data: { conversationId, messageId: id, seq, changeSeq, userId, emoji },
    } as const;
  };

  test('replaces the one before it, and can remove it; a repeated or late one changes nothing', async () => {
    const { server, engine, state, message, id } = await setUp();
    const frames = [
      createReactionFrame(server, id, 'you', '👍'),
      createReactionFrame(server, id, 'me', '😮'),
      createReactionFrame(server, id, 'you', '❤️'),
      createReactionFrame(server, id, 'me', null),
    ];
    for (const frame of frames) server.push(frame);
    expect(message()?.reactions).toEqual([{ userId: 'you', emoji: '❤️' }]);
    const last = frames.at(-1)?.data.changeSeq;
    expect([message()?.changeSeq, state().timelines['c1']?.changeSeq]).toEqual([last, last]);
    expect(state().conversations['c1']?.lastMessage?.reactions).toEqual(message()?.reactions);
    for (const frame of frames) server.push(frame);
    await settlePromises();
    expect(message()?.reactions).toEqual([{ userId: 'you', emoji: '❤️' }]);
    expect(server.requests.filter((name) => name.startsWith('listChanges'))).toEqual([]);
    engine.stop();
  });

  test('fetches the changes if one before it was missed, and then all reactions are there', async () => {
    const { server, engine, message, id } = await setUp();
    // Missed by this client.
    createReactionFrame(server, id, 'ben', '👍');
    server.push(createReactionFrame(server, id, 'you', '❤️'));
    expect(message()?.reactions).toEqual([]);
    await settlePromises();
    expect(message()?.reactions).toEqual([
      { userId: 'ben', emoji: '👍' },
      { userId: 'you', emoji: '❤️' },
    ]);
    engine.stop();
  });

  test('counts as a change if its message is not loaded', async () => {
    const { server, engine, state, id } = await setUp();
    const frame = createReactionFrame(server, id, 'you', '👍');
    server.push({ ...frame, data: { ...frame.data, seq: 99, messageId: 'm99' } });
    expect(state().timelines['c1']?.changeSeq).toBe(frame.data.changeSeq);
    expect(state().conversations['c1']?.changeSeq).toBe(frame.data.changeSeq);
    engine.stop();
  });
});

test('stars belong to the person and are shared by their devices', async () => {
  const { server, engine, state, id } = await setUp();
  await getConversationActions(engine).star(id, true);
  expect(state().starred[id]).toBe(true);
  server.push({ type: 'message_starred', data: { conversationId: 'c1', messageId: id, starredAt: null } });
  expect(state().starred[id]).toBeUndefined();
  await getConversationActions(engine).loadStars();
  expect(state().starred[id]).toBe(true);
  engine.stop();
});

test('conversation settings order the list, from here and from other devices', async () => {
  const { server, engine, state } = await setUp();
  await getConversationActions(engine).setConversation('c1', { pinned: true });
  const row = state().conversations['c1']!;
  const newer = { ...row, id: 'c2', pinnedAt: null, lastMessage: null, createdAt: '2030-01-01T00:00:00.000Z' };
  engine.addConversation(newer);
  const listed = () => listCurrentAndArchivedConversations(state().conversations);
  expect(listed().current.map(({ id }) => id)).toEqual(['c1', 'c2']);
  server.push({
    type: 'conversation_settings',
    data: {
      conversationId: 'c1',
      archivedAt: '2026-01-01T00:00:00.000Z',
      pinnedAt: null,
      mutedUntil: null,
      mutedExceptMentions: false,
      markedUnread: false,
      clearedSeq: 0,
      hiddenAt: null,
      requestedAt: null,
    },
  });
  expect(listed().current.map(({ id }) => id)).toEqual(['c2']);
  expect(listed().archived.map(({ id }) => id)).toEqual(['c1']);
  engine.stop();
});

test('opening a conversation that is marked as unread clears the mark', async () => {
  const { engine, state } = await setUp();
  engine.close('c1');
  await getConversationActions(engine).setConversation('c1', { markedUnread: true });
  await engine.open('c1');
  await settlePromises();
  expect(state().conversations['c1']?.markedUnread).toBe(false);
  engine.stop();
});

test('reply, mentions and link preview are sent with the message, through the outbox', async () => {
  const { server, engine, state } = await setUp();
  const replyTo = { seq: 1, messageId: 'm1', senderId: 'you' };
  engine.send('c1', 'see', { replyTo, mentions: ['you'], linkPreview: '{}', hasLink: true, forwarded: true });
  expect(state().timelines['c1']?.pending[0]?.extras?.replyTo).toEqual(replyTo);
  await settlePromises();
  expect(server.messages.at(-1)).toMatchObject({ replyTo, mentions: ['you'], linkPreview: '{}', forwarded: true });
  engine.stop();
});
