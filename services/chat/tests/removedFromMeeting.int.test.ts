import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { nextEventId, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
let [host, ben, carol, conversationId] = ['', '', '', ''];

beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());
beforeEach(async () => {
  [host, ben, carol, conversationId] = [await chat.person(), await chat.person(), await chat.person(), randomUUID()];
  await join(host, 'owner');
  await join(ben);
  await join(carol);
});

const join = (userId: string, role = 'member') => chat.client.joinMeetingConversation({ conversationId, userId, role });
const publishMembership = (userId: string, more: object = {}) =>
  chat.publishEvent(
    'event.meetings.membership_changed',
    { conversationId, userId, role: 'member', removedBy: null, changedAt: new Date().toISOString(), ...more },
    nextEventId(),
  );
const rolesNow = async () => {
  const { members } = await chat.client.getConversation({ actorId: host, conversationId });
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
};
const remove = async (userId: string) => {
  await publishMembership(userId, { removedBy: host });
  await eventually(async () => (await rolesNow())[userId] === undefined);
};
const erase = (actorId: string, messageId: string) =>
  chatErrorKindAndCode(chat.client.deleteMessage({ actorId, messageId }));
const missing = 'not_found conversation_not_found';

test('a person removed from a meeting can neither read, write nor receive in its chat', async () => {
  const { id } = await chat.send(host, conversationId, { content: 'while they were there' });
  const photo = await chat.send(host, conversationId, {
    content: '',
    messageType: 'image',
    attachment: chat.attach(host, 'image'),
  });
  const fileId = (photo.attachment?.fileUrl ?? '').split('/').pop() ?? '';
  const mayRead = async (actorId: string) => (await chat.client.canReadFile({ actorId, fileId })).allowed;
  expect(await mayRead(ben)).toBe(true);
  await remove(ben);
  await eventually(() =>
    chat
      .framesTo(ben)
      .some((frame) => frame.type === 'conversation_removed' && frame.data.conversationId === conversationId),
  );
  const frameCountBefore = chat.framesTo(ben).length;
  expect(await chatErrorKindAndCode(chat.send(ben, conversationId))).toBe(missing);
  const page = { actorId: ben, conversationId, limit: 10 };
  expect(await chatErrorKindAndCode(chat.client.listMessages(page))).toBe(missing);
  expect(await chatErrorKindAndCode(chat.client.listChanges({ ...page, since: 0 }))).toBe(missing);
  expect(await chatErrorKindAndCode(chat.client.getConversation({ actorId: ben, conversationId }))).toBe(missing);
  expect(await chatErrorKindAndCode(chat.client.setTyping({ actorId: ben, conversationId, typing: true }))).toBe(
    missing,
  );
  expect(
    await chatErrorKindAndCode(chat.messageActions.setReaction({ actorId: ben, messageId: id, emoji: '👍' })),
  ).toBe('not_found message_not_found');
  expect(await mayRead(ben)).toBe(false);
  await chat.send(host, conversationId, { content: 'afterwards' });
  await eventually(() =>
    chat.framesTo(carol).some((frame) => frame.type === 'new_message' && frame.data.content === 'afterwards'),
  );
  expect(chat.framesTo(ben)).toHaveLength(frameCountBefore);
});

test('a removed person stays out after any later event, and a repeated removal changes nothing', async () => {
  await remove(ben);
  expect(await chatErrorKindAndCode(join(ben))).toBe('forbidden banned');
  expect(await chatErrorKindAndCode(join(ben, 'owner'))).toBe('forbidden banned');
  const before = await chat.client.getConversation({ actorId: host, conversationId });
  await publishMembership(ben, { removedBy: host });
  await publishMembership(ben, { role: 'admin' });
  await publishMembership(carol, { role: 'admin' });
  await eventually(async () => (await rolesNow())[carol] === 'admin');
  const after = await chat.client.getConversation({ actorId: host, conversationId });
  expect(after.memberCount).toBe(2);
  expect(after.changeSeq).toBe(before.changeSeq + 1);
});

test('a readmitted person can rejoin, whatever outdated reports arrive', async () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const [removal, readmission, secondRemoval] = [at(0), at(1), at(2)];
  await publishMembership(ben, { removedBy: host, changedAt: removal });
  await eventually(async () => (await chatErrorKindAndCode(join(ben))) === 'forbidden banned');
  await publishMembership(ben, { readmitted: true, changedAt: readmission });
  // The meeting adds them to the conversation when they enter; until then they are not members.
  expect((await rolesNow())[ben]).toBeUndefined();
  await eventually(async () => (await chatErrorKindAndCode(join(ben))) === 'none');
  await chat.send(ben, conversationId, { content: 'back again' });
  await publishMembership(ben, { removedBy: host, changedAt: secondRemoval });
  await eventually(async () => (await chatErrorKindAndCode(join(ben))) === 'forbidden banned');
  // The first two events are repeated, as after a failure.
  await publishMembership(ben, { removedBy: host, changedAt: removal });
  await publishMembership(ben, { readmitted: true, changedAt: readmission });
  await publishMembership(carol, { role: 'admin' });
  await eventually(async () => (await rolesNow())[carol] === 'admin');
  expect(await chatErrorKindAndCode(join(ben))).toBe('forbidden banned');
});

test('someone who was never in the conversation, or joins at the same moment, is kept out as well', async () => {
  const dora = await chat.person();
  await publishMembership(dora, { removedBy: host });
  await eventually(async () => (await chatErrorKindAndCode(join(dora))) === 'forbidden banned');
  const first = await chat.person();
  conversationId = randomUUID();
  await publishMembership(first, { removedBy: host });
  await eventually(async () => (await chatErrorKindAndCode(join(first))) === 'forbidden banned');
  const erik = await chat.person();
  await join(host, 'owner');
  await Promise.all([
    publishMembership(erik, { removedBy: host }),
    ...Array.from({ length: 5 }, () => join(erik).catch(() => undefined)),
  ]);
  await eventually(async () => (await chatErrorKindAndCode(join(erik))) === 'forbidden banned');
  expect((await rolesNow())[erik]).toBeUndefined();
});

test('hosts can delete messages of others, co-hosts while they are co-hosts, and members cannot', async () => {
  const sendRudeMessage = () => chat.send(ben, conversationId, { content: 'rude' });
  expect(await erase(carol, (await sendRudeMessage()).id)).toBe('forbidden not_author');
  expect(await erase(host, (await sendRudeMessage()).id)).toBe('none');
  await publishMembership(carol, { role: 'admin' });
  await eventually(async () => (await rolesNow())[carol] === 'admin');
  const late = await sendRudeMessage();
  expect(await erase(carol, late.id)).toBe('none');
  await eventually(() =>
    chat.framesTo(ben).some((frame) => frame.type === 'message_updated' && frame.data.id === late.id),
  );
  // Messages left by a removed person can be erased, too.
  const left = await sendRudeMessage();
  await remove(ben);
  await publishMembership(carol, { role: 'member' });
  await eventually(async () => (await rolesNow())[carol] === 'member');
  expect(await erase(carol, left.id)).toBe('forbidden not_author');
  expect(await erase(host, left.id)).toBe('none');
});
