import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createGroupWithRoles } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const hide = (actorId: string, messageId: string) => chat.messageActions.hideMessage({ actorId, messageId });
const clear = (actorId: string, conversationId: string, fromList = false) =>
  chat.messageActions.clearConversation({ actorId, conversationId, fromList });
const view = (actorId: string, conversationId: string) => chat.client.getConversation({ actorId, conversationId });
const changesOf = (actorId: string, conversationId: string, since: number) =>
  chat.client.listChanges({ actorId, conversationId, since });
const read = async (actorId: string, conversationId: string) =>
  (await chat.client.listMessages({ actorId, conversationId })).messages;
const listed = async (actorId: string) =>
  (await chat.client.listConversations({ actorId })).conversations.map(({ id }) => id);

describe('HideMessage', () => {
  test('replaces the message with a gap for one person everywhere, and for nobody else', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const conversationId = conversation.id;
    const first = await chat.send(bob, conversationId, { content: 'one' });
    const last = await chat.send(bob, conversationId, { content: 'two', mentions: [alice] });
    await chat.messageActions.starMessage({ actorId: alice, messageId: last.id, starred: true });
    const { changeSeq: before } = await view(alice, conversationId);
    const hidden = await hide(alice, last.id);
    expect(hidden).toMatchObject({ id: last.id, seq: last.seq, content: '', mentions: [], hidden: true });
    expect(hidden.deletedAt).toBeDefined();

    expect((await read(alice, conversationId)).map(({ content, hidden: gone }) => [content, gone])).toEqual([
      ['one', false],
      ['', true],
    ]);
    expect((await read(bob, conversationId)).map(({ content }) => content)).toEqual(['one', 'two']);
    expect((await view(alice, conversationId)).lastMessage?.id).toBe(first.id);
    expect((await view(bob, conversationId)).lastMessage?.id).toBe(last.id);
    expect((await chat.messageActions.listStarred({ actorId: alice })).starred).toEqual([]);
    for (const use of [
      chat.client.getMessage({ actorId: alice, messageId: last.id }),
      chat.messageActions.setReaction({ actorId: alice, messageId: last.id, emoji: '👍' }),
    ]) {
      expect(await chatErrorKindAndCode(use)).toBe('not_found message_not_found');
    }

    // A device that was offline learns of it only through the change number it took.
    const missed = await changesOf(alice, conversationId, before);
    expect(missed.changeSeq).toBe(before + 1);
    expect(missed.changes.map(({ what }) => what)).toEqual([{ $case: 'message', value: hidden }]);
    expect((await changesOf(bob, conversationId, before)).changes).toEqual([]);
    expect(hidden.changeSeq).toBe(before + 1);
    // A repeat changes nothing.
    expect(await hide(alice, last.id)).toEqual(hidden);
  });

  const framesTo = (userId: string, wanted: string) => chat.framesTo(userId).filter(({ type }) => type === wanted);

  test('reveals nothing to the other side of a direct chat, and neither does clearing', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(bob, conversation.id);
    await hide(alice, message.id);
    await clear(alice, conversation.id);
    const next = await chat.send(alice, conversation.id);
    await eventually(() => framesTo(bob, 'new_message').length === 2);
    expect(framesTo(bob, 'receipt')).toEqual([]);
    // The gap makes the other app request what it missed, which is nothing.
    const missed = await changesOf(bob, conversation.id, message.changeSeq);
    expect(missed.changes.map(({ changeSeq }) => changeSeq)).toEqual([next.changeSeq]);
  });

  test("notifies a person's own devices, and others only of the new counter", async () => {
    const { id, owner: alice, member: bob } = await createGroupWithRoles(chat);
    const message = await chat.send(bob, id);
    const { changeSeq } = await hide(alice, message.id);
    const place = { conversationId: id, seq: message.seq, changeSeq };
    await eventually(() => framesTo(alice, 'message_hidden').length === 1);
    expect(framesTo(alice, 'message_hidden')[0]?.data).toEqual({ ...place, messageId: message.id });
    await eventually(() =>
      framesTo(bob, 'receipt').some(({ data }) => 'changeSeq' in data && data.changeSeq === changeSeq),
    );
    expect(framesTo(bob, 'message_hidden')).toEqual([]);
    await chat.client.editMessage({
      actorId: bob,
      messageId: message.id,
      content: 'changed',
      encryption: 'none',
      mentions: undefined,
    });
    await eventually(() => framesTo(bob, 'message_updated').length === 1);
    await eventually(() =>
      framesTo(alice, 'receipt').some(({ data }) => 'changeSeq' in data && data.changeSeq === changeSeq + 1),
    );
    expect(framesTo(alice, 'message_updated')).toEqual([]);
  });

  test('happens once when two devices do it at the same time', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(bob, conversation.id);
    const [one, other] = await Promise.all([hide(alice, message.id), hide(alice, message.id)]);
    expect(one).toEqual(other);
  });

  test('requires access to the message', async () => {
    const { bob, conversation } = await chat.pair();
    const message = await chat.send(bob, conversation.id);
    expect(await chatErrorKindAndCode(hide(randomUUID(), message.id))).toBe('not_found message_not_found');
    expect(await chatErrorKindAndCode(hide(bob, randomUUID()))).toBe('not_found message_not_found');
  });
});

describe('ClearConversation', () => {
  test('removes existing messages for one person, as read, and keeps later ones', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const { id } = conversation;
    const old = await chat.send(bob, id, { mentions: [alice] });
    await hide(alice, old.id);
    const { changeSeq: before } = await view(alice, id);
    expect(await clear(alice, id)).toMatchObject({ clearedSeq: old.seq, hiddenAt: undefined });
    expect(await read(alice, id)).toEqual([]);
    expect(await read(bob, id)).toHaveLength(1);
    expect(await view(alice, id)).toMatchObject({ lastMessage: undefined, unreadCount: 0, mentionSeq: undefined });
    expect(await listed(alice)).toContain(id);
    const missed = await changesOf(alice, id, before);
    expect(missed).toMatchObject({ changes: [], changeSeq: before + 1, settings: { clearedSeq: old.seq } });
    // A receipt would reveal to the other person that it was read.
    expect((await view(bob, id)).members.find(({ userId }) => userId === alice)?.readSeq).toBe(0);
    await eventually(() => chat.framesTo(alice).some(({ type }) => type === 'conversation_settings'));
    expect(chat.framesTo(bob).some(({ type }) => type === 'conversation_settings')).toBe(false);
    const next = await chat.send(bob, id);
    expect((await read(alice, id)).map(({ id: one }) => one)).toEqual([next.id]);
    expect(await view(alice, id)).toMatchObject({ unreadCount: 1 });
  });

  test('removes the conversation from the list until something new arrives', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const { id } = conversation;
    await chat.send(bob, id);
    await chat.messageActions.updateConversationSettings({
      actorId: alice,
      conversationId: id,
      pinned: true,
      mutedUntil: undefined,
      unmute: false,
    });
    const cleared = await clear(alice, id, true);
    expect(cleared).toMatchObject({ clearedSeq: 1, hiddenAt: chat.clock.now(), pinnedAt: undefined });
    expect(await listed(alice)).not.toContain(id);
    expect(await listed(bob)).toContain(id);
    // Reopened, it is the same conversation and still not listed; clearing it again does not list it.
    const { conversation: same } = await chat.client.getOrCreateDirect({ actorId: alice, otherUserId: bob });
    expect(same).toMatchObject({ id, lastMessage: undefined });
    await clear(alice, id);
    expect(await listed(alice)).not.toContain(id);
    await chat.send(bob, id);
    expect(await listed(alice)).toContain(id);
    // A conversation that returned stays in the list when cleared.
    await clear(alice, id);
    expect(await listed(alice)).toContain(id);
  });

  test('is refused to people outside the conversation', async () => {
    const { conversation } = await chat.pair();
    expect(await chatErrorKindAndCode(clear(randomUUID(), conversation.id))).toBe('not_found conversation_not_found');
  });
});

test('a conversation shows the last unread message that mentions the viewer', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id } = conversation;
  const mentionOf = async (userId: string) => (await view(userId, id)).mentionSeq;
  await chat.send(bob, id, { mentions: [bob] });
  expect(await mentionOf(alice)).toBeUndefined();
  const mentioningMessage = await chat.send(bob, id, { mentions: [alice] });
  await chat.send(bob, id);
  expect(await mentionOf(alice)).toBe(mentioningMessage.seq);
  const [row] = (await chat.client.listConversations({ actorId: alice })).conversations;
  expect(row?.mentionSeq).toBe(mentioningMessage.seq);
  await chat.client.moveCursor({ actorId: alice, conversationId: id, readSeq: mentioningMessage.seq });
  expect(await mentionOf(alice)).toBeUndefined();
  expect(await mentionOf(bob)).toBeUndefined();
});
