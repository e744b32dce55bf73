import { eventually, followEvents } from '@nolo/testing';
import { startChat, type TestChat } from './startChat.ts';
import { createGroupWithRoles } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const reasonsOf = async (conversationId: string, firstSeq: number, lastSeq = firstSeq, more: object = {}) => {
  const { alerts } = await chat.alerts.listAlerts({ conversationId, firstSeq, lastSeq, userIds: [], ...more });
  return Object.fromEntries(alerts.map(({ userId, reason, seq }) => [userId, `${reason} ${seq}`]));
};

test('mentions and replies are alerted as such, other messages as the newest, and authors not at all', async () => {
  const { id, owner, admin, member } = await createGroupWithRoles(chat);
  const question = await chat.send(owner, id);
  const naming = await chat.send(admin, id, { mentions: [member] });
  const answer = await chat.send(member, id, { replyToSeq: question.seq });
  const last = await chat.send(member, id);
  expect(await reasonsOf(id, question.seq, last.seq)).toEqual({
    [owner]: `reply ${answer.seq}`,
    [admin]: `message ${last.seq}`,
  });
  expect(await reasonsOf(id, naming.seq)).toMatchObject({ [owner]: `message ${naming.seq}` });
});

test('read, deleted or muted messages alert nobody, and a user filter is respected', async () => {
  const { id, owner, admin, member } = await createGroupWithRoles(chat);
  const { seq, id: messageId } = await chat.send(owner, id);
  await chat.client.moveCursor({ actorId: admin, conversationId: id, deliveredSeq: seq, readSeq: seq });
  expect(await reasonsOf(id, seq)).toEqual({ [member]: `message ${seq}` });
  expect(await reasonsOf(id, seq, seq, { userIds: [owner] })).toEqual({});
  const mutedUntil = new Date(chat.clock.now().getTime() + 3_600_000);
  await chat.messageActions.updateConversationSettings({
    actorId: member,
    conversationId: id,
    mutedUntil,
    unmute: false,
  });
  expect(await reasonsOf(id, seq)).toEqual({});
  const naming = await chat.send(owner, id, { mentions: [member] });
  expect(await reasonsOf(id, naming.seq, naming.seq, { userIds: [member] })).toEqual({});
  const mentions = { actorId: member, conversationId: id, mutedUntil, unmute: false, mutedExceptMentions: true };
  await chat.messageActions.updateConversationSettings(mentions);
  expect(await reasonsOf(id, seq, naming.seq, { userIds: [member] })).toEqual({ [member]: `mention ${naming.seq}` });
  expect(await reasonsOf(id, seq)).toEqual({});
  await chat.messageActions.updateConversationSettings({
    actorId: member,
    conversationId: id,
    mutedUntil: undefined,
    unmute: true,
  });
  await chat.client.deleteMessage({ actorId: owner, messageId });
  expect(await reasonsOf(id, seq)).toEqual({});
});

test('a reaction alerts only the author, and only while it exists', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { seq, id: messageId } = await chat.send(alice, conversation.id);
  const reactedBy = { reactedBy: bob };
  await chat.messageActions.setReaction({ actorId: bob, messageId, emoji: '👍' });
  expect(await reasonsOf(conversation.id, seq, seq, reactedBy)).toEqual({ [alice]: `reaction ${seq}` });
  await chat.messageActions.setReaction({ actorId: bob, messageId, emoji: '' });
  expect(await reasonsOf(conversation.id, seq, seq, reactedBy)).toEqual({});
});

test('unread messages are counted as in the conversation list', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { bob: carol, alice: dave, conversation: other } = await chat.pair();
  for (const _ of [1, 2, 3]) await chat.send(alice, conversation.id);
  await chat.send(dave, other.id);
  await chat.messageActions.updateConversationSettings({
    actorId: carol,
    conversationId: other.id,
    archived: true,
    mutedUntil: undefined,
    unmute: false,
  });
  const { counts } = await chat.alerts.countUnread({ userIds: [alice, bob, carol] });
  expect(counts).toEqual([{ userId: bob, count: 3 }]);
});

test('the event log contains positions of messages and reactions, and nothing about system messages', async () => {
  const publishedEvents: unknown[] = [];
  const subjects = ['event.chat.messages_added', 'event.chat.message_reacted'];
  const end = await followEvents(chat.db, subjects, ({ subject, data }) => publishedEvents.push({ subject, data }));
  const { alice, bob, conversation } = await chat.pair();
  const { seq, id: messageId } = await chat.send(alice, conversation.id, { content: 'a secret' });
  await chat.messageActions.setReaction({ actorId: alice, messageId, emoji: '👍' });
  await chat.messageActions.setReaction({ actorId: bob, messageId, emoji: '👍' });
  await eventually(() => publishedEvents.length === 2);
  expect(publishedEvents).toEqual([
    { subject: subjects[0], data: { conversationId: conversation.id, seq, lastSeq: seq } },
    { subject: subjects[1], data: { conversationId: conversation.id, seq, userId: bob } },
  ]);
  end();
});
