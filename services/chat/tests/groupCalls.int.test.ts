import { randomUUID } from 'node:crypto';
import { limits, readSystemMessage } from '@nolo/rules';
import { eventually, followEvents } from '@nolo/testing';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { nextEventId, startChat, type TestChat } from './startChat.ts';
import { createGroupWithRoles, type GroupWithRoles } from './groupFixtures.ts';

let chat: TestChat;
let cast: GroupWithRoles;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());
beforeEach(async () => {
  cast = await createGroupWithRoles(chat);
});

const start = Date.now();
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();

function publishCallChange(
  callId: string,
  startedBy: string,
  changedAt: string,
  durationSeconds: number | null,
  groupId = cast.id,
) {
  const event = { groupId, callId, startedBy, changedAt, durationSeconds };
  return chat.publishEvent('event.meetings.group_call_changed', event, nextEventId());
}

async function callsIn(actorId = cast.owner) {
  const { messages } = await chat.client.listMessages({ actorId, conversationId: cast.id, limit: 100 });
  return messages.filter(({ content, messageType }) => {
    return messageType === 'system' && readSystemMessage(content)?.kind === 'group_call';
  });
}
const listCallContents = async () => (await callsIn()).map(({ content }) => JSON.parse(content) as unknown);

test('starting a call adds a message, later updated with the duration, and the change feed agrees', async () => {
  const { id, owner, member } = cast;
  const before = await chat.client.getConversation({ actorId: owner, conversationId: id });
  const callId = randomUUID();
  await publishCallChange(callId, member, at(0), null);
  await eventually(async () => (await callsIn()).length === 1);
  const [begun] = await callsIn();
  expect(begun).toMatchObject({ senderId: member, seq: before.lastSeq + 1, editedAt: undefined });
  expect(await listCallContents()).toEqual([{ kind: 'group_call', durationSeconds: null, at: at(0) }]);
  const view = async (actorId: string) => chat.client.getConversation({ actorId, conversationId: id });
  // Everyone except the caller is notified.
  expect((await view(owner)).unreadCount).toBe(before.unreadCount + 1);
  expect((await view(member)).unreadCount).toBe(0);

  await publishCallChange(callId, member, at(90), 90);
  await eventually(async () => (await callsIn())[0]?.changeSeq !== begun?.changeSeq);
  const [over] = await callsIn();
  expect(over).toEqual({ ...begun, changeSeq: over?.changeSeq, content: over?.content });
  expect(await listCallContents()).toEqual([{ kind: 'group_call', durationSeconds: 90, at: at(90) }]);
  await eventually(() =>
    chat.framesTo(cast.admin).some(({ type, data }) => type === 'message_updated' && data.content === over?.content),
  );
  const { changes } = await chat.client.listChanges({
    actorId: owner,
    conversationId: id,
    since: before.changeSeq,
    limit: 0,
  });
  expect(changes.filter(({ what }) => what?.$case === 'message').map(({ what }) => what?.value)).toEqual([over]);
});

test('the group shows since when a call is in progress, and members are notified of each change', async () => {
  const { id, admin, member } = cast;
  const callSince = async () => {
    const { meta } = await chat.client.getConversation({ actorId: admin, conversationId: id });
    return meta?.group?.callSince?.toISOString();
  };
  const callId = randomUUID();
  await publishCallChange(callId, member, at(0), null);
  await eventually(async () => (await callSince()) === at(0));
  const listReceivedCallStarts = () =>
    chat
      .framesTo(admin)
      .flatMap(({ type, data }) => (type === 'conversation_updated' ? [data.conversation.group?.callSince] : []));
  await eventually(() => listReceivedCallStarts().at(-1) === at(0));
  await publishCallChange(callId, member, at(90), 90);
  await eventually(async () => (await callSince()) === undefined);
  await eventually(() => listReceivedCallStarts().at(-1) === null);
  // A late report changes nothing.
  await publishCallChange(callId, member, at(0), null);
  await publishCallChange(randomUUID(), member, at(100), null);
  await eventually(async () => (await callSince()) === at(100));
  expect(listReceivedCallStarts().filter((since) => since === at(0))).toHaveLength(1);
});

test('a call whose end was never reported is shown as in progress for at most a day', async () => {
  const { id, admin, member } = cast;
  await publishCallChange(randomUUID(), member, at(-limits.groupCallShownHours * 3_600 - 1), null);
  await eventually(async () => (await callsIn()).length === 1);
  expect(await chat.db('conversations').where({ id }).whereNotNull('call_since')).toHaveLength(1);
  const { meta } = await chat.client.getConversation({ actorId: admin, conversationId: id });
  expect(meta?.group?.callSince).toBeUndefined();
});

test('a call rings for members who have not muted the group or blocked the caller', async () => {
  const { id, owner, admin, member } = cast;
  const callees = async (actorId: string, conversationId = id) =>
    (await chat.client.listCallees({ actorId, conversationId })).callees.toSorted((one, other) =>
      (one.userId ?? '').localeCompare(other.userId ?? ''),
    );
  expect((await callees(owner)).map(({ userId }) => userId)).toEqual([admin, member].toSorted());
  expect((await callees(owner)).every(({ isAccepted }) => isAccepted === false)).toBe(true);
  const { conversation } = await chat.client.getOrCreateDirect({ actorId: admin, otherUserId: owner });
  expect(conversation).toBeDefined();
  expect(await callees(owner)).toContainEqual({ userId: admin, isAccepted: true });

  const mutedUntil = new Date(chat.clock.now().getTime() + 60_000);
  await chat.messageActions.updateConversationSettings({
    actorId: admin,
    conversationId: id,
    mutedUntil,
    unmute: false,
  });
  await chat.publishEvent(
    'event.identity.block_changed',
    { blockerId: member, blockedId: owner, blocked: true },
    nextEventId(),
  );
  await eventually(async () => (await callees(owner)).length === 0);
  chat.clock.advance(60_000);
  expect(await callees(owner)).toEqual([{ userId: admin, isAccepted: true }]);
  // A person outside the group gets nothing.
  expect(await callees(await chat.person())).toEqual([]);
});

test('a call rings in groups of up to 32 people', async () => {
  const { id, owner } = cast;
  const more = await Promise.all(Array.from({ length: 29 }, () => chat.person()));
  await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: more });
  const callees = async () => (await chat.client.listCallees({ actorId: owner, conversationId: id })).callees.length;
  expect(await callees()).toBe(31);
  await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [await chat.person()] });
  expect(await callees()).toBe(0);
});

test('repeated, late or reordered reports give the same result', async () => {
  const { member } = cast;
  const [first, second] = [randomUUID(), randomUUID()];
  await publishCallChange(first, member, at(90), 90);
  await publishCallChange(first, member, at(0), null);
  await publishCallChange(first, member, at(90), 90);
  await publishCallChange(second, member, at(200), null);
  await publishCallChange(second, member, at(260), 60);
  await publishCallChange(second, member, at(200), null);
  // All participants were lost, and one returned.
  await publishCallChange(second, member, at(270), null);
  await chat.publishEvent('event.meetings.group_call_changed', 'nonsense', nextEventId(), 'nonsense');
  const last = randomUUID();
  await publishCallChange(last, member, at(300), null);
  await eventually(async () => (await callsIn()).length === 3);
  expect(await listCallContents()).toEqual([
    { kind: 'group_call', durationSeconds: 90, at: at(90) },
    { kind: 'group_call', durationSeconds: null, at: at(270) },
    { kind: 'group_call', durationSeconds: null, at: at(300) },
  ]);
});

test('a call continues and ends even if the person who started it leaves the group', async () => {
  const { id, member } = cast;
  const callId = randomUUID();
  await publishCallChange(callId, member, at(0), null);
  await eventually(async () => (await callsIn()).length === 1);
  await chat.groups.leaveGroup({ actorId: member, conversationId: id });
  await publishCallChange(callId, member, at(30), 30);
  await eventually(
    async () =>
      (await listCallContents()).length === 1 &&
      JSON.stringify(await listCallContents()).includes('"durationSeconds":30'),
  );
  // A call by a person outside the group is not announced.
  await publishCallChange(randomUUID(), member, at(40), null);
  await publishCallChange(randomUUID(), member, at(40), null, randomUUID());
  await publishCallChange(randomUUID(), cast.admin, at(50), null);
  await eventually(async () => (await callsIn()).length === 2);
  expect((await callsIn()).map(({ senderId }) => senderId)).toEqual([member, cast.admin]);
});

test('the system message of a call cannot be reacted to, pinned or edited', async () => {
  const { owner, member } = cast;
  await publishCallChange(randomUUID(), member, at(0), null);
  await eventually(async () => (await callsIn()).length === 1);
  const [systemMessage] = await callsIn();
  const edit = anEditMessageRequest({ actorId: member, messageId: systemMessage!.id, content: 'mine' });
  await expect(chat.client.editMessage(edit)).rejects.toMatchObject({ code: 'not_author' });
  await expect(chat.client.deleteMessage({ actorId: owner, messageId: systemMessage!.id })).rejects.toMatchObject({
    code: 'not_author',
  });
});

test('other services are notified of everyone who leaves a group, whatever the reason', async () => {
  const { id, owner, admin, member } = cast;
  const memberLeftEvents: unknown[] = [];
  const end = await followEvents(chat.db, ['event.chat.member_left'], ({ data }) => {
    if ((data as { conversationId: string }).conversationId === id) memberLeftEvents.push(data);
  });
  const extra = await chat.person();
  await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [extra] });
  await chat.groups.removeMember({ actorId: owner, conversationId: id, userId: extra });
  await chat.groups.banMember({ actorId: owner, conversationId: id, userId: member });
  // Banning a former member does not end a membership again.
  await chat.groups.banMember({ actorId: owner, conversationId: id, userId: extra });
  await chat.groups.leaveGroup({ actorId: owner, conversationId: id });
  await chat.publishEvent('event.identity.user_deleted', { userId: admin }, nextEventId());
  await eventually(() => memberLeftEvents.length === 4);
  expect(memberLeftEvents).toEqual([
    { conversationId: id, userId: extra, reason: 'removed' },
    { conversationId: id, userId: member, reason: 'banned' },
    { conversationId: id, userId: owner, reason: 'left' },
    { conversationId: id, userId: admin, reason: 'left' },
  ]);
  end();
});
