import { randomUUID } from 'node:crypto';
import { readSystemMessage } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { emptyAttachmentInput } from './memoryFiles.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const setTimer = (actorId: string, conversationId: string, seconds: number) =>
  chat.messageActions.setTimer({ actorId, conversationId, seconds });
const all = async (actorId: string, conversationId: string) =>
  (await chat.client.listMessages({ actorId, conversationId, limit: 100 })).messages;
const listUserMessages = async (actorId: string, conversationId: string) =>
  (await all(actorId, conversationId)).filter(({ messageType }) => messageType !== 'system');

describe('SetTimer', () => {
  test('is a change either side can make, with a system message that is never unread', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const { id, changeSeq } = conversation;
    expect((await setTimer(bob, id, 3_600)).meta).toMatchObject({ disappearingSeconds: 3_600 });
    const { changes } = await chat.client.listChanges({
      actorId: alice,
      conversationId: id,
      since: changeSeq,
      limit: 0,
    });
    expect(changes.map(({ what }) => what?.$case)).toEqual(['conversation', 'message']);
    const [systemMessage] = await all(alice, id);
    expect(systemMessage).toMatchObject({ senderId: bob, messageType: 'system', expiresAt: undefined });
    expect(readSystemMessage(systemMessage!.content)).toEqual({ kind: 'timer_changed', seconds: 3_600 });
    expect((await chat.client.getConversation({ actorId: alice, conversationId: id })).unreadCount).toBe(0);
    await eventually(() => chat.framesTo(alice).some(({ type }) => type === 'conversation_updated'));
    // Setting the same timer again is not a change.
    const after = await setTimer(alice, id, 3_600);
    expect(after.changeSeq).toBe(changeSeq + 2);
    expect((await setTimer(alice, id, 0)).meta).toMatchObject({ disappearingSeconds: undefined });
  });

  test('requires membership, the owner or admin role in groups, a valid value, and no block', async () => {
    const { alice, bob, conversation } = await chat.pair();
    expect(await chatErrorKindAndCode(setTimer(randomUUID(), conversation.id, 60))).toBe(
      'not_found conversation_not_found',
    );
    for (const seconds of [1, -1, 2_419_201]) {
      expect(await chatErrorKindAndCode(setTimer(alice, conversation.id, seconds))).toBe('invalid timer_invalid');
    }
    await chat.block(alice, bob);
    expect(await chatErrorKindAndCode(setTimer(bob, conversation.id, 60))).toBe('forbidden blocked');
    // The block does not affect chats of other people.
    const other = await chat.openAccepted(bob, await chat.person());
    expect((await setTimer(bob, other.id, 60)).meta).toMatchObject({ disappearingSeconds: 60 });
    const meeting = randomUUID();
    const [owner, member] = [await chat.person(), await chat.person()];
    await chat.client.joinMeetingConversation({ conversationId: meeting, userId: owner, role: 'owner' });
    await chat.client.joinMeetingConversation({ conversationId: meeting, userId: member, role: 'member' });
    expect(await chatErrorKindAndCode(setTimer(member, meeting, 60))).toBe('forbidden not_admin');
    expect((await setTimer(owner, meeting, 60)).meta).toMatchObject({ disappearingSeconds: 60 });
  });
});

describe('a message that disappears', () => {
  test('keeps the timer that was set when it was stored', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const before = await chat.send(alice, conversation.id);
    await setTimer(alice, conversation.id, 60);
    const timed = await chat.send(bob, conversation.id);
    await setTimer(alice, conversation.id, 0);
    const after = await chat.send(bob, conversation.id);
    expect([before.expiresAt, timed.expiresAt, after.expiresAt]).toEqual([
      undefined,
      new Date(chat.clock.now().getTime() + 60_000),
      undefined,
    ]);
    // An edit does not extend its lifetime.
    const edit = anEditMessageRequest({ actorId: bob, messageId: timed.id, content: 'better' });
    expect((await chat.client.editMessage(edit)).expiresAt).toEqual(timed.expiresAt);
  });

  test('is deleted from every table within seconds, leaves a tombstone, and everyone is notified', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await setTimer(alice, conversation.id, 30);
    const first = await chat.send(alice, conversation.id, {
      content: 'for your eyes only',
      mentions: [bob],
      attachment: {
        ...emptyAttachmentInput,
        fileUrl: chat.files.store(alice),
      },
      messageType: 'image',
    });
    const reply = await chat.send(bob, conversation.id, { replyToSeq: first.seq });
    await chat.messageActions.setReaction({ actorId: bob, messageId: first.id, emoji: '👍' });
    await chat.messageActions.starMessage({ actorId: bob, messageId: first.id, starred: true });
    await chat.messageActions.pinMessage({ actorId: alice, messageId: first.id, pinned: true });
    const { changeSeq } = await chat.client.getConversation({ actorId: bob, conversationId: conversation.id });
    chat.clock.advance(29_000);
    expect((await listUserMessages(bob, conversation.id)).every(({ deletedAt }) => deletedAt === undefined)).toBe(true);
    chat.clock.advance(1_000);
    await eventually(async () =>
      (await listUserMessages(bob, conversation.id)).every(({ deletedAt }) => deletedAt !== undefined),
    );

    const [tombstone] = await listUserMessages(alice, conversation.id);
    expect(tombstone).toEqual({
      ...first,
      changeSeq: tombstone!.changeSeq,
      content: '',
      attachment: undefined,
      mentions: [],
      reactions: [],
      pinnedAt: undefined,
      deletedAt: tombstone!.deletedAt,
      expiresAt: first.expiresAt,
    });
    for (const table of ['messages', 'outbox', 'reactions', 'stars', 'held_messages', 'conversations']) {
      const found = (await chat.db.raw(
        `select count(*)::int as count from ${table} t where t::text like '%eyes only%'`,
      )) as {
        rows: [{ count: number }];
      };
      expect({ table, count: found.rows[0].count }).toEqual({ table, count: 0 });
    }
    expect(await chat.db('reactions').where({ conversation_id: conversation.id })).toEqual([]);
    expect(await chat.db('stars').where({ conversation_id: conversation.id })).toEqual([]);
    // A device that was offline still learns of it, in the order of changes and without a gap.
    const { changes } = await chat.client.listChanges({
      actorId: bob,
      conversationId: conversation.id,
      since: changeSeq,
      limit: 0,
    });
    expect(changes.map((change) => change.changeSeq)).toEqual([changeSeq + 1, changeSeq + 2]);
    await eventually(() => {
      const updatedMessages = chat
        .framesTo(bob)
        .flatMap(({ type, data }) => (type === 'message_updated' ? [data] : []));
      return [first.id, reply.id].every((id) =>
        updatedMessages.some((data) => data.id === id && data.deletedAt !== null),
      );
    });
  });

  test('many in many conversations are deleted in batches on two replicas, each once', async () => {
    const replica = await chat.startReplica();
    const pairs = await Promise.all(Array.from({ length: 12 }, () => chat.pair()));
    for (const { alice, conversation } of pairs) await setTimer(alice, conversation.id, 5);
    await Promise.all(
      pairs.flatMap(({ alice, conversation }) => Array.from({ length: 50 }, () => chat.send(alice, conversation.id))),
    );
    const before = await Promise.all(
      pairs.map(({ alice, conversation }) =>
        chat.client.getConversation({ actorId: alice, conversationId: conversation.id }),
      ),
    );
    chat.clock.advance(5_000);
    // Concurrent senders are delayed only briefly, and get their own numbers.
    await Promise.all(pairs.map(({ bob, conversation }) => chat.send(bob, conversation.id)));
    for (const [index, { alice, conversation }] of pairs.entries()) {
      await eventually(async () => {
        const messages = await listUserMessages(alice, conversation.id);
        return messages.filter(({ deletedAt }) => deletedAt !== undefined).length === 50;
      });
      const view = await chat.client.getConversation({ actorId: alice, conversationId: conversation.id });
      expect(view.changeSeq).toBe(before[index]!.changeSeq + 51);
      const numbers = (await all(alice, conversation.id)).map(({ changeSeq }) => changeSeq);
      expect(new Set(numbers).size).toBe(numbers.length);
    }
    await replica.app.stop();
  });
});
