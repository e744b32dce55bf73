import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

describe('JoinMeetingConversation', () => {
  const join = (conversationId: string, userId: string, role = 'member') =>
    chat.client.joinMeetingConversation({ conversationId, userId, role });
  const get = (actorId: string, conversationId: string) => chat.client.getConversation({ actorId, conversationId });

  test('creates the conversation with its first member, and notifies each newcomer', async () => {
    const conversationId = randomUUID();
    const [host, ben] = [await chat.person(), await chat.person()];
    expect(await chatErrorKindAndCode(get(host, conversationId))).toBe('not_found conversation_not_found');
    await join(conversationId, host, 'owner');
    await chat.send(host, conversationId, { content: 'before you came' });
    await join(conversationId, ben);
    expect(await get(ben, conversationId)).toMatchObject({ type: 'meeting', lastSeq: 1, unreadCount: 1 });
    expect((await get(ben, conversationId)).members.map(({ userId, role }) => [userId, role])).toEqual(
      expect.arrayContaining([
        [host, 'owner'],
        [ben, 'member'],
      ]),
    );
    await eventually(() => chat.framesTo(ben).some(({ type }) => type === 'conversation_created'));
    // A newcomer can read earlier messages.
    const { messages } = await chat.client.listMessages({
      actorId: ben,
      conversationId,
      limit: 10,
    });
    expect(messages.map(({ content }) => content)).toEqual(['before you came']);
  });

  test('joining again, any number of times at once, changes nothing', async () => {
    const conversationId = randomUUID();
    const [host, ben] = [await chat.person(), await chat.person()];
    await Promise.all([join(conversationId, host, 'owner'), join(conversationId, ben)]);
    const before = await get(ben, conversationId);
    await Promise.all(Array.from({ length: 10 }, () => join(conversationId, ben)));
    await join(conversationId, host);
    const after = await get(ben, conversationId);
    expect(after).toEqual(before);
    expect(after.members).toHaveLength(2);
    await chat.send(ben, conversationId);
    expect((await get(host, conversationId)).lastSeq).toBe(1);
  });

  test('many concurrent joiners all get in, each with their own change', async () => {
    const conversationId = randomUUID();
    const people = await Promise.all(Array.from({ length: 20 }, () => chat.person()));
    await Promise.all(people.map((userId) => join(conversationId, userId)));
    const { memberCount, changeSeq } = await get(people[0] ?? '', conversationId);
    expect(memberCount).toBe(20);
    expect(changeSeq).toBe(20);
  });

  test('keeps the conversation out of the list, and cannot join a direct conversation', async () => {
    const { alice, conversation } = await chat.pair();
    const conversationId = randomUUID();
    await join(conversationId, alice);
    const { conversations } = await chat.client.listConversations({ actorId: alice });
    expect(conversations.map(({ id }) => id)).toEqual([conversation.id]);
    const stranger = randomUUID();
    await join(conversation.id, stranger);
    expect(await chatErrorKindAndCode(get(stranger, conversation.id))).toBe('not_found conversation_not_found');
  });
});

test('messages of a meeting are erased everywhere after 30 days, and younger ones are not', async () => {
  const conversationId = randomUUID();
  const [host, ben] = [await chat.person(), await chat.person()];
  for (const userId of [host, ben]) {
    await chat.client.joinMeetingConversation({ conversationId, userId, role: userId === host ? 'owner' : 'member' });
  }
  const { alice, conversation: direct } = await chat.pair();
  const kept = await chat.send(alice, direct.id, { content: 'among friends' });
  const day = 86_400_000;
  const secret = `secret of ${conversationId}`;
  const old = await chat.send(host, conversationId, { content: secret });
  expect(old.expiresAt).toEqual(new Date(old.createdAt!.getTime() + 30 * day));
  chat.clock.advance(10 * day);
  const young = await chat.send(ben, conversationId, { content: 'a later word' });
  chat.clock.advance(20 * day - 1_000);
  const read = async (actorId: string, id: string) =>
    (await chat.client.listMessages({ actorId, conversationId: id, limit: 10 })).messages;
  expect((await read(ben, conversationId)).map(({ content }) => content)).toEqual([secret, 'a later word']);
  chat.clock.advance(2_000);
  await eventually(async () => (await read(ben, conversationId))[0]?.deletedAt !== undefined);
  expect((await read(host, conversationId)).map(({ id, content }) => [id, content])).toEqual([
    [old.id, ''],
    [young.id, 'a later word'],
  ]);
  const frame = await eventually(() =>
    chat.framesTo(ben).find(({ type, data }) => type === 'message_updated' && 'id' in data && data.id === old.id),
  );
  expect(JSON.stringify(frame)).not.toContain(secret);
  for (const table of ['messages', 'outbox']) {
    expect(JSON.stringify(await chat.db(table).select('*'))).not.toContain(secret);
  }
  expect((await read(alice, direct.id)).map(({ id, content }) => [id, content])).toEqual([[kept.id, 'among friends']]);
});

describe('AddSystemMessage', () => {
  const systemMessage = JSON.stringify({
    kind: 'call',
    callId: 'call-x-1',
    callType: 'audio',
    outcome: 'missed',
    durationSeconds: 0,
  });
  const add = (actorId: string, conversationId: string, clientMessageId: string = randomUUID()) =>
    chat.client.addSystemMessage({ actorId, conversationId, clientMessageId, content: systemMessage, quiet: false });

  test('is a regular message, unread for the other and sent to both', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await add(alice, conversation.id);
    expect(message).toMatchObject({ messageType: 'system', content: systemMessage, senderId: alice, seq: 1 });
    const asBob = await chat.client.getConversation({ actorId: bob, conversationId: conversation.id });
    expect(asBob).toMatchObject({ unreadCount: 1, lastMessage: { messageType: 'system' } });
    for (const who of [alice, bob]) {
      await eventually(() =>
        chat.framesTo(who).some(({ type, data }) => type === 'new_message' && 'id' in data && data.id === message.id),
      );
    }
  });

  test('leaves nothing unread when quiet if all was read, and notifies their devices', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const quietly = () =>
      chat.client.addSystemMessage({
        actorId: alice,
        conversationId: conversation.id,
        clientMessageId: randomUUID(),
        content: systemMessage,
        quiet: true,
      });
    const unread = async () =>
      (await chat.client.getConversation({ actorId: bob, conversationId: conversation.id })).unreadCount;
    await quietly();
    expect(await unread()).toBe(0);
    const frame = await eventually(() => chat.framesTo(bob).find(({ type }) => type === 'read_cursor'));
    expect(frame.data).toEqual({ conversationId: conversation.id, readSeq: 1, unreadCount: 0 });
    // A person with unread messages keeps them unread.
    await chat.send(alice, conversation.id);
    await quietly();
    expect(await unread()).toBe(2);
    // Many at once, while cursors move, wait for each other but not forever.
    await chat.client.moveCursor({ actorId: bob, conversationId: conversation.id, deliveredSeq: 3, readSeq: 3 });
    const moving = Array.from({ length: 10 }, (_, n) =>
      chat.client.moveCursor({ actorId: bob, conversationId: conversation.id, deliveredSeq: n + 3, readSeq: n + 3 }),
    );
    await Promise.all([...Array.from({ length: 10 }, quietly), ...moving]);
    expect(await unread()).toBe(0);
  });

  test('is written once per event, however often it is reported', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const happening = randomUUID();
    const messages = await Promise.all(Array.from({ length: 8 }, () => add(alice, conversation.id, happening)));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    const seen = await chat.client.getConversation({ actorId: bob, conversationId: conversation.id });
    expect(seen.lastSeq).toBe(1);
  });

  test('is rejected where it does not belong', async () => {
    const { alice, bob, conversation } = await chat.pair();
    expect(await chatErrorKindAndCode(add(randomUUID(), conversation.id))).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(add(alice, randomUUID()))).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(add(alice, conversation.id, 'call-1'))).toBe('invalid message_invalid');
    await chat.block(bob, alice);
    expect(await chatErrorKindAndCode(add(alice, conversation.id))).toBe('forbidden blocked');
  });

  test('system messages cannot be sent, edited or deleted by anyone', async () => {
    const { alice, bob, conversation } = await chat.pair();
    expect(
      await chatErrorKindAndCode(chat.send(alice, conversation.id, { content: systemMessage, messageType: 'system' })),
    ).toMatch(/^invalid /);
    const { id: messageId } = await add(alice, conversation.id);
    for (const actorId of [alice, bob]) {
      const edit = chat.client.editMessage(anEditMessageRequest({ actorId, messageId, content: 'never happened' }));
      expect(await chatErrorKindAndCode(edit)).toBe('forbidden not_author');
      expect(await chatErrorKindAndCode(chat.client.deleteMessage({ actorId, messageId }))).toBe(
        'forbidden not_author',
      );
    }
  });
});
