import { randomUUID } from 'node:crypto';
import { eventually, followEvents } from '@nolo/testing';
import { nextEventId, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const blocked = async (one: string, other: string) =>
  (await chatErrorKindAndCode(chat.client.getOrCreateDirect({ actorId: one, otherUserId: other }))) !== 'none';

test('an old block event that arrives late changes nothing, and neither does a repeated one', async () => {
  const [alice, bob] = [randomUUID(), randomUUID()];
  const [first, second, third] = [nextEventId(), nextEventId(), nextEventId()];
  const publishTestEvent = (isBlocked: boolean, id: string) =>
    chat.publishEvent('event.identity.block_changed', { blockerId: alice, blockedId: bob, blocked: isBlocked }, id);
  await publishTestEvent(true, third);
  await eventually(async () => (await chat.db('blocks').where({ blocker_id: alice }).first('blocked')) !== undefined);
  await publishTestEvent(true, first);
  await publishTestEvent(false, second);
  await chat.publishEvent('event.identity.block_changed', 'nonsense', nextEventId(), 'nonsense');
  // Events of one subject are handled in order, so this one shows that the earlier ones were.
  const [carol, dave] = [randomUUID(), randomUUID()];
  await chat.block(carol, dave);
  expect(await blocked(alice, bob)).toBe(true);
  expect(await blocked(bob, alice)).toBe(true);
});

test('a deleted person leaves tombstones, leaves all conversations and can do nothing more', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id } = conversation;
  await chat.db.raw(
    `insert into messages (conversation_id, seq, id, sender_id, change_seq, content, encryption, message_type, created_at)
    select ?, n, gen_random_uuid(), ?, n + 2, 'secret', 'none', 'text', now() from generate_series(1, 450) n`,
    [id, bob],
  );
  await chat.db('conversations').where({ id }).update({ last_seq: 450, last_change_seq: 452 });
  const answer = await chat.send(alice, id, { content: 'mine' });
  await chat.client.updatePreferences({ actorId: bob, shareReceipts: false });
  const publishTestEvent = () => chat.publishEvent('event.identity.user_deleted', { userId: bob }, nextEventId());
  await publishTestEvent();
  await eventually(async () => {
    const left = await chat.db('messages').where({ sender_id: bob, deleted_at: null }).first('id');
    return left === undefined && (await chat.db('preferences').where({ user_id: bob }).first()) === undefined;
  });

  const view = await chat.client.getConversation({ actorId: alice, conversationId: id });
  expect(view.members.map(({ userId }) => userId)).toEqual([alice]);
  expect(view).toMatchObject({ lastSeq: 451, changeSeq: 453 + 1 + 450 });
  const page = await chat.client.listMessages({ actorId: alice, conversationId: id, limit: 100 });
  expect(page.messages.at(-1)).toEqual(answer);
  expect(page.messages.slice(0, -1).every(({ content, deletedAt }) => content === '' && deletedAt)).toBe(true);
  const changes = await chat.client.listChanges({ actorId: alice, conversationId: id, since: 453, limit: 500 });
  expect(changes.changes).toHaveLength(451);
  expect(changes.changes[0]!.what).toMatchObject({ $case: 'member', value: { userId: bob, leftAt: expect.any(Date) } });
  await eventually(() => {
    const types = chat.framesTo(alice).map(({ type }) => type);
    return types.includes('sync_required') && types.filter((type) => type === 'message_updated').length >= 450;
  });

  expect(await chatErrorKindAndCode(chat.send(bob, id))).toBe('not_found conversation_not_found');
  const listed = await chat.client.listConversations({ actorId: bob });
  expect(listed.conversations).toEqual([]);
  for (const call of [
    chat.client.getConversation({ actorId: bob, conversationId: id }),
    chat.client.listMessages({ actorId: bob, conversationId: id }),
    chat.client.listChanges({ actorId: bob, conversationId: id, since: 0 }),
    chat.client.moveCursor({ actorId: bob, conversationId: id, deliveredSeq: 1, readSeq: 1 }),
    chat.client.setTyping({ actorId: bob, conversationId: id, typing: true }),
  ]) {
    expect(await chatErrorKindAndCode(call)).toBe('not_found conversation_not_found');
  }
  expect(await chatErrorKindAndCode(chat.client.deleteMessage({ actorId: bob, messageId: page.messages[0]!.id }))).toBe(
    'not_found message_not_found',
  );

  // A repeated event changes nothing.
  await publishTestEvent();
  const { bob: other } = await chat.pair();
  await chat.client.updatePreferences({ actorId: other, shareReceipts: false });
  await chat.publishEvent('event.identity.user_deleted', { userId: other }, nextEventId());
  await eventually(async () => (await chat.db('preferences').where({ user_id: other }).first()) === undefined);
  expect((await chat.client.getConversation({ actorId: alice, conversationId: id })).changeSeq).toBe(view.changeSeq);
});

test('a closed account receives no messages until it is reopened', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const publishTestEvent = (closed: boolean) =>
    chat.publishEvent('event.identity.account_closed', { userId: bob, closed }, nextEventId());
  await publishTestEvent(true);
  await eventually(async () => (await chatErrorKindAndCode(chat.send(alice, conversation.id))) === 'forbidden blocked');
  await publishTestEvent(false);
  await eventually(async () => (await chat.db('closed_accounts').where({ user_id: bob }).first()) === undefined);
  await chat.send(alice, conversation.id);
});

test('the event log records each change of receipt sharing, and only changes', async () => {
  const publishedEvents: unknown[] = [];
  const end = await followEvents(chat.db, ['event.chat.receipts_changed'], ({ data }) => publishedEvents.push(data));
  const userId = randomUUID();
  for (const shareReceipts of [true, false, false, true]) {
    await chat.client.updatePreferences({ actorId: userId, shareReceipts });
  }
  await eventually(() => publishedEvents.length === 2);
  expect(publishedEvents).toEqual([
    { userId, shared: false },
    { userId, shared: true },
  ]);
  end();
});

test('people who share a conversation are notified of changed devices, and nobody else', async () => {
  const { alice, bob } = await chat.pair();
  const { bob: stranger } = await chat.pair();
  const change = { userId: alice, chain: 0, n: 3 };
  await chat.publishEvent('event.identity.devices_changed', change, nextEventId(), alice);
  const framesTo = (userId: string) => chat.framesTo(userId).filter(({ type }) => type === 'devices_changed');
  await eventually(() => framesTo(bob).length === 1);
  expect(framesTo(bob)).toMatchObject([{ data: change }]);
  expect([...framesTo(alice), ...framesTo(stranger)]).toEqual([]);
});
