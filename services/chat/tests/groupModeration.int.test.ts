import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createGroupWithRoles, type GroupWithRoles } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const settings = {
  allowScreenShare: true,
  allowFileSharing: true,
  allowRecording: false,
  moderationEnabled: true,
};
const moderated = () => createGroupWithRoles(chat, { settings });
const listUnapproved = async (actorId: string, conversationId: string) =>
  (await chat.groups.listHeldMessages({ actorId, conversationId })).held;
const decide = (actorId: string, { id }: GroupWithRoles, heldId: string, approve: boolean) =>
  chat.groups.decideHeldMessage({ actorId, conversationId: id, heldId, approve });

describe('a moderated group', () => {
  test('holds links and files of new members for approval, unlike text and anything from admins', async () => {
    const { id, owner, admin, member } = await moderated();
    expect(await chat.send(member, id)).toMatchObject({ held: false, seq: expect.any(Number) });
    for (const more of [{ hasLink: true }, { messageType: 'image' }]) {
      const by = (actorId: string) =>
        more.messageType !== undefined ? { ...more, attachment: chat.attach(actorId, more.messageType) } : more;
      expect(await chat.send(member, id, by(member))).toMatchObject({ held: true, seq: 0, changeSeq: 0 });
      expect(await chat.send(admin, id, by(admin))).toMatchObject({ held: false });
    }
    expect(await listUnapproved(owner, id)).toHaveLength(2);
    const { messages } = await chat.client.listMessages({ actorId: owner, conversationId: id, limit: 100 });
    expect(messages.filter(({ senderId }) => senderId === member)).toHaveLength(1);
    chat.clock.advance(limits.newMemberDays * 86_400_000);
    expect(await chat.send(member, id, { hasLink: true })).toMatchObject({ held: false });
  });

  test('shows a pending message to admins and its author, and numbers it on approval', async () => {
    const group = await moderated();
    const { id, owner, admin, member } = group;
    const clientMessageId = randomUUID();
    const content = 'see https://example.org';
    const send = () => chat.send(member, id, { content, hasLink: true, clientMessageId });
    const first = await send();
    expect(await send()).toMatchObject({ held: true, id: first.id, clientMessageId });
    expect((await listUnapproved(member, id)).map((one) => one.id)).toEqual([first.id]);
    expect((await listUnapproved(admin, id)).map(({ message }) => message?.content)).toEqual([content]);
    expect(await chatErrorKindAndCode(decide(member, group, first.id, true))).toBe('forbidden not_admin');
    expect(await chatErrorKindAndCode(decide(owner, group, randomUUID(), true))).toBe('not_found message_not_found');
    await decide(admin, group, first.id, true);
    expect(await chatErrorKindAndCode(decide(admin, group, first.id, false))).toBe('not_found message_not_found');
    const { messages } = await chat.client.listMessages({ actorId: owner, conversationId: id, limit: 100 });
    expect(messages.at(-1)).toMatchObject({ content, senderId: member, clientMessageId });
    // Resending it returns its current state.
    expect(await send()).toMatchObject({ held: false, seq: messages.at(-1)?.seq });
    const counts = (userId: string) =>
      chat.framesTo(userId).flatMap((frame) => (frame.type === 'held_messages_changed' ? [frame.data.count] : []));
    await eventually(() => counts(owner).at(-1) === 0 && counts(member).at(-1) === 0);
    expect(counts(owner)).toEqual([1, 0]);
  });

  test('deletes a rejected message, which cannot be resent', async () => {
    const group = await moderated();
    const { id, owner, member } = group;
    const clientMessageId = randomUUID();
    const content = `canary ${randomUUID()}`;
    const send = () => chat.send(member, id, { content, hasLink: true, clientMessageId });
    const held = await send();
    await decide(owner, group, held.id, false);
    expect(await chatErrorKindAndCode(send())).toBe('forbidden message_rejected');
    expect(await listUnapproved(owner, id)).toEqual([]);
    const rows = JSON.stringify(await chat.db('held_messages').where({ conversation_id: id }));
    expect(rows).not.toContain(content);
  });

  test('lets authors, and nobody else, withdraw a pending message, once or more', async () => {
    const group = await moderated();
    const { id, owner, admin, member } = group;
    const [other, stranger] = await Promise.all([chat.person(), chat.person()]);
    await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [other] });
    const clientMessageId = randomUUID();
    const content = `canary ${randomUUID()}`;
    const send = () => chat.send(member, id, { content, hasLink: true, clientMessageId });
    const held = await send();
    const withdraw = (actorId: string, heldId = held.id) =>
      chatErrorKindAndCode(chat.groups.withdrawHeldMessage({ actorId, conversationId: id, heldId }));
    for (const actorId of [owner, admin]) expect(await withdraw(actorId)).toBe('forbidden not_author');
    expect(await withdraw(other)).toBe('not_found message_not_found');
    expect(await withdraw(stranger)).toBe('not_found conversation_not_found');
    for (const heldId of [randomUUID(), 'nothing']) {
      expect(await withdraw(member, heldId)).toBe('not_found message_not_found');
    }
    expect((await listUnapproved(owner, id)).map((one) => one.id)).toEqual([held.id]);
    for (const _ of ['once', 'again']) expect(await withdraw(member)).toBe('none');
    expect(await listUnapproved(owner, id)).toEqual([]);
    const rows = JSON.stringify(await chat.db('held_messages').where({ conversation_id: id }));
    expect(rows).not.toContain(content);
    for (const approve of [true, false]) {
      expect(await chatErrorKindAndCode(decide(admin, group, held.id, approve))).toBe('conflict message_withdrawn');
    }
    expect(await chatErrorKindAndCode(send())).toBe('conflict message_withdrawn');
    const counts = (userId: string) =>
      chat.framesTo(userId).flatMap((frame) => (frame.type === 'held_messages_changed' ? [frame.data.count] : []));
    await eventually(() => [owner, admin, member].every((userId) => counts(userId).join() === '1,0'));
  });

  test('withdraws a message or approves it, never both', async () => {
    const group = await moderated();
    const { id, admin, member } = group;
    for (let round = 0; round < 8; round += 1) {
      const content = `see https://example.org/${round}`;
      const { id: heldId } = await chat.send(member, id, { content, hasLink: true });
      const withdraw = () => chat.groups.withdrawHeldMessage({ actorId: member, conversationId: id, heldId });
      const outcomes = await Promise.all(
        [decide(admin, group, heldId, true), withdraw()].map((one) => chatErrorKindAndCode(one)),
      );
      const { messages } = await chat.client.listMessages({ actorId: admin, conversationId: id, limit: 100 });
      const isPosted = messages.some((message) => message.content === content);
      expect(outcomes).toEqual(
        isPosted ? ['none', 'conflict message_approved'] : ['conflict message_withdrawn', 'none'],
      );
    }
    expect(await listUnapproved(admin, id)).toEqual([]);
  });

  test('leaves what its author has not read unread when a message is approved', async () => {
    const group = await moderated();
    const { id, owner, admin, member } = group;
    const { seq } = await chat.send(owner, id);
    const { id: heldId } = await chat.send(member, id, { hasLink: true });
    await chat.client.moveCursor({ actorId: admin, conversationId: id, deliveredSeq: seq, readSeq: seq });
    await decide(admin, group, heldId, true);
    const readSeqOf = async (actorId: string) =>
      (await chat.client.getConversation({ actorId, conversationId: id })).readSeq;
    expect([await readSeqOf(admin), await readSeqOf(member)]).toEqual([seq + 1, seq - 1]);
  });

  test('refuses an edit that adds a link that would need approval', async () => {
    const { id, owner, member } = await moderated();
    const edit = (actorId: string, messageId: string, hasLink: boolean) =>
      chat.client.editMessage(anEditMessageRequest({ actorId, messageId, content: 'changed', hasLink }));
    const sentMessage = await chat.send(member, id);
    expect(await chatErrorKindAndCode(edit(member, sentMessage.id, true))).toBe('forbidden links_refused');
    await edit(member, sentMessage.id, false);
    await edit(owner, (await chat.send(owner, id)).id, true);
  });

  test('limits pending messages per member', async () => {
    const { id, member } = await moderated();
    for (let count = 0; count < limits.unapprovedPerMember; count += 1) await chat.send(member, id, { hasLink: true });
    expect(await chatErrorKindAndCode(chat.send(member, id, { hasLink: true }))).toBe('conflict too_many_held');
  });

  test('rejects a pending message once it would have disappeared', async () => {
    const group = await moderated();
    const { id, owner, admin, member } = group;
    await chat.messageActions.setTimer({ actorId: owner, conversationId: id, seconds: 3_600 });
    const clientMessageId = randomUUID();
    const content = `canary ${randomUUID()}`;
    const send = (more = {}) => chat.send(member, id, { content, hasLink: true, clientMessageId, ...more });
    const held = await send();
    chat.clock.advance(1_800_000);
    const later = await send({ content: 'later', clientMessageId: randomUUID() });
    chat.clock.advance(1_799_000);
    expect((await listUnapproved(owner, id)).map((one) => one.id)).toEqual([held.id, later.id]);
    chat.clock.advance(1_000);
    await eventually(async () => (await listUnapproved(owner, id)).length === 1);
    expect((await listUnapproved(member, id)).map((one) => one.id)).toEqual([later.id]);
    const rows = JSON.stringify(await chat.db('held_messages').where({ conversation_id: id }));
    expect(rows).not.toContain(content);
    for (const approve of [true, false]) {
      expect(await chatErrorKindAndCode(decide(admin, group, held.id, approve))).toBe('not_found message_not_found');
    }
    expect(await chatErrorKindAndCode(send())).toBe('forbidden message_rejected');
    const counts = (userId: string) =>
      chat.framesTo(userId).flatMap((frame) => (frame.type === 'held_messages_changed' ? [frame.data.count] : []));
    await eventually(() => [owner, admin, member].every((userId) => counts(userId).join() === '1,2,1'));
    // The timer of an approved message starts at its approval.
    await decide(admin, group, later.id, true);
    const { messages } = await chat.client.listMessages({ actorId: owner, conversationId: id, limit: 100 });
    expect(messages.at(-1)?.expiresAt).toEqual(new Date(chat.clock.now().getTime() + 3_600_000));
  });

  test('removes pending messages with their author', async () => {
    const { id, owner, member } = await moderated();
    await chat.send(member, id, { hasLink: true });
    await chat.groups.removeMember({ actorId: owner, conversationId: id, userId: member });
    expect(await listUnapproved(owner, id)).toEqual([]);
  });
});
