import { randomUUID } from 'node:crypto';
import type { Message } from '@nolo/proto/conversation';
import { limits, readSystemMessage } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { runInParallel, nextEventId, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const react = (actorId: string, messageId: string, emoji: string) =>
  chat.messageActions.setReaction({ actorId, messageId, emoji });
const pin = (actorId: string, messageId: string, pinned = true) =>
  chat.messageActions.pinMessage({ actorId, messageId, pinned });
const star = (actorId: string, messageId: string, starred = true) =>
  chat.messageActions.starMessage({ actorId, messageId, starred });
const latest = async (actorId: string, conversationId: string, since: number) =>
  (await chat.client.listChanges({ actorId, conversationId, since })).changes;

/** Creates a conversation of several people with an owner. */
async function createConversationOf(members: number) {
  const conversationId = randomUUID();
  const people = await Promise.all(Array.from({ length: members }, () => chat.person()));
  for (const [index, userId] of people.entries()) {
    await chat.client.joinMeetingConversation({ conversationId, userId, role: index === 0 ? 'owner' : 'member' });
  }
  return { conversationId, people };
}

describe('SetReaction', () => {
  test('gives a message one reaction per person, notifies everyone, and appears in the change feed', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    const of = { conversationId: conversation.id, messageId: message.id, seq: message.seq };
    // Frames contain only the change, however many others have reacted.
    const frames: Record<string, unknown>[] = [];
    const arrives = (frame: Record<string, unknown>) => {
      frames.push({ ...of, ...frame });
      return eventually(() => {
        const arrived = chat.framesTo(alice).filter(({ type }) => type === 'message_reaction');
        expect(arrived.map(({ data }) => data)).toEqual(frames);
        return true;
      });
    };
    expect((await react(bob, message.id, '👍')).reactions).toEqual([{ userId: bob, emoji: '👍' }]);
    await arrives({ changeSeq: message.changeSeq + 1, userId: bob, emoji: '👍' });
    await react(alice, message.id, '❤️');
    await arrives({ changeSeq: message.changeSeq + 2, userId: alice, emoji: '❤️' });
    const after = await react(bob, message.id, '👩‍👩‍👧‍👦');
    await arrives({ changeSeq: after.changeSeq, userId: bob, emoji: '👩‍👩‍👧‍👦' });
    expect(after).toMatchObject({
      changeSeq: message.changeSeq + 3,
      editedAt: undefined,
      reactions: [
        { userId: alice, emoji: '❤️' },
        { userId: bob, emoji: '👩‍👩‍👧‍👦' },
      ],
    });
    expect(await latest(bob, conversation.id, message.changeSeq)).toEqual([
      { changeSeq: after.changeSeq, what: { $case: 'message', value: after } },
    ]);
    expect((await react(bob, message.id, '')).reactions).toEqual([{ userId: alice, emoji: '❤️' }]);
    await eventually(() => {
      const last = chat.framesTo(alice).findLast(({ type }) => type === 'message_reaction');
      expect(last?.data).toMatchObject({ changeSeq: after.changeSeq + 1, userId: bob, emoji: null });
      return true;
    });
    const rows = await chat.db('reactions').where({ conversation_id: conversation.id }).select('user_id', 'emoji');
    expect(rows).toEqual([{ user_id: alice, emoji: '❤️' }]);
  });

  test('treats an emoji with and without variation selector as one, including those of earlier releases', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    expect((await react(bob, message.id, '❤')).reactions).toEqual([{ userId: bob, emoji: '❤️' }]);
    const retry = await react(bob, message.id, '❤️');
    expect(retry.changeSeq).toBe(message.changeSeq + 1);
    const kept = JSON.stringify([{ userId: bob, emoji: '❤' }]);
    await chat.db('messages').where({ id: message.id }).update({ reactions: kept });
    expect((await react(alice, message.id, '❤')).reactions).toEqual([
      { userId: bob, emoji: '❤️' },
      { userId: alice, emoji: '❤️' },
    ]);
  });

  test('changes nothing if already in that state', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    const once = await react(bob, message.id, '👍');
    expect(await react(bob, message.id, '👍')).toEqual(once);
    expect(await react(alice, message.id, '')).toEqual(once);
  });

  test.each(['👍👍', 'a', ' ', 'yes', '\0', '👍'.repeat(30), `👍${'\u0301'.repeat(60)}`, '<b>', '5'])(
    'rejects %j, which is not an emoji',
    async (emoji) => {
      const { alice, conversation } = await chat.pair();
      const message = await chat.send(alice, conversation.id);
      expect(await chatErrorKindAndCode(react(alice, message.id, emoji))).toBe('invalid reaction_invalid');
    },
  );

  test.each(['👍', '❤️', '🇿🇦', '👨🏽‍🚀', '5️⃣', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '™️'])('accepts %s as a reaction', async (emoji) => {
    const { alice, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    expect((await react(alice, message.id, emoji)).reactions).toEqual([{ userId: alice, emoji }]);
  });

  test('is limited to members and to messages by people, and refused across a block', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    expect(await chatErrorKindAndCode(react(randomUUID(), message.id, '👍'))).toBe('not_found message_not_found');
    expect(await chatErrorKindAndCode(react(alice, randomUUID(), '👍'))).toBe('not_found message_not_found');
    await react(bob, message.id, '👍');
    await chat.block(alice, bob);
    expect(await chatErrorKindAndCode(react(bob, message.id, '👎'))).toBe('forbidden blocked');
    expect((await react(bob, message.id, '')).reactions).toEqual([]);
    await chat.block(alice, bob, false);
    await react(bob, message.id, '👍');
    const erased = await chat.client.deleteMessage({ actorId: alice, messageId: message.id });
    expect(erased.reactions).toEqual([]);
    expect(await chatErrorKindAndCode(react(bob, message.id, '👍'))).toBe('not_found message_not_found');
    const system = await chat.client.addSystemMessage({
      conversationId: conversation.id,
      actorId: alice,
      content: '{}',
      clientMessageId: randomUUID(),
      quiet: false,
    });
    expect(await chatErrorKindAndCode(react(bob, system.id, '👍'))).toBe('not_found message_not_found');
    expect(await chat.db('reactions').where({ conversation_id: conversation.id })).toEqual([]);
  });

  test('loses none of many concurrent ones on two replicas', async () => {
    const { conversationId, people } = await createConversationOf(24);
    const message = await chat.send(people[0]!, conversationId);
    const { messageActions } = await chat.startReplica();
    await runInParallel(people.length * 3, 12, (turn) =>
      (turn % 2 ? chat.messageActions : messageActions).setReaction({
        actorId: people[turn % people.length]!,
        messageId: message.id,
        emoji: ['👍', '❤️', '😂'][Math.floor(turn / people.length)]!,
      }),
    );
    const [change] = await latest(people[0]!, conversationId, message.changeSeq);
    const reacted = change?.what?.value as typeof message | undefined;
    expect(reacted?.reactions.map(({ userId }) => userId).toSorted()).toEqual(people.toSorted());
    expect(change?.changeSeq).toBeGreaterThan(message.changeSeq + people.length - 1);
  });

  test('ends with the account', async () => {
    const { conversationId, people } = await createConversationOf(3);
    const [ada, ben, cas] = people as [string, string, string];
    const message = await chat.send(ada, conversationId);
    await react(ben, message.id, '👍');
    await react(cas, message.id, '❤️');
    await star(ben, message.id);
    await chat.publishEvent('event.identity.user_deleted', { userId: ben }, nextEventId());
    await eventually(async () => (await chat.db('stars').where({ user_id: ben })).length === 0);
    const { messages } = await chat.client.listMessages({ actorId: ada, conversationId });
    expect(messages[0]?.reactions).toEqual([{ userId: cas, emoji: '❤️' }]);
    expect(await chat.db('reactions').where({ user_id: ben })).toEqual([]);
  });
});

describe('PinMessage', () => {
  test('pins for both, announces it with a system message, and lists the latest first', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const [first, second] = [await chat.send(alice, conversation.id), await chat.send(bob, conversation.id)];
    await pin(alice, first.id);
    chat.clock.advance(1_000);
    const pinned = await pin(bob, second.id);
    expect(pinned.pinnedAt).toEqual(chat.clock.now());
    expect(await pin(alice, second.id)).toEqual(pinned);
    const list = () => chat.messageActions.listPinned({ actorId: alice, conversationId: conversation.id });
    expect((await list()).messages.map(({ id }) => id)).toEqual([second.id, first.id]);
    const { messages } = await chat.client.listMessages({ actorId: alice, conversationId: conversation.id });
    const systemMessages = messages.filter(({ messageType }) => messageType === 'system');
    expect(systemMessages.map(({ content }) => readSystemMessage(content))).toEqual([
      { kind: 'message_pinned', messageId: first.id, seq: first.seq },
      { kind: 'message_pinned', messageId: second.id, seq: second.seq },
    ]);
    expect((await pin(alice, second.id, false)).pinnedAt).toBeUndefined();
    await chat.client.deleteMessage({ actorId: alice, messageId: first.id });
    expect((await list()).messages).toEqual([]);
  });

  test('is limited to owner and admins in a group', async () => {
    const { conversationId, people } = await createConversationOf(2);
    const [owner, member] = people as [string, string];
    const message = await chat.send(member, conversationId);
    expect(await chatErrorKindAndCode(pin(member, message.id))).toBe('forbidden not_admin');
    await pin(owner, message.id);
    expect(await chatErrorKindAndCode(pin(member, message.id, false))).toBe('forbidden not_admin');
    expect(await chatErrorKindAndCode(pin(randomUUID(), message.id))).toBe('not_found message_not_found');
    expect(await chatErrorKindAndCode(chat.messageActions.listPinned({ actorId: randomUUID(), conversationId }))).toBe(
      'not_found conversation_not_found',
    );
  });

  test('stops at its limit, even with many concurrent pins', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const count = limits.pinnedPerConversation + 6;
    const messages = await Promise.all(Array.from({ length: count }, () => chat.send(alice, conversation.id)));
    const outcomes: string[] = [];
    await runInParallel(count, 8, async (turn) => {
      outcomes.push(await chatErrorKindAndCode(pin(turn % 2 ? alice : bob, messages[turn]!.id)));
    });
    const counts = Object.fromEntries([...Map.groupBy(outcomes, String)].map(([code, those]) => [code, those.length]));
    expect(counts).toEqual({ none: limits.pinnedPerConversation, 'conflict too_many_pinned': 6 });
    const { messages: pinned } = await chat.messageActions.listPinned({
      actorId: alice,
      conversationId: conversation.id,
    });
    expect(pinned).toHaveLength(limits.pinnedPerConversation);
  });
});

test('very long pinned messages do not prevent each other from being listed', async () => {
  const { alice, conversation } = await chat.pair();
  const content = 'x'.repeat(limits.messageEnvelopeBytes);
  const ids: string[] = [];
  for (let index = 0; index < limits.pinnedPerConversation; index += 1) {
    const { id } = await chat.send(alice, conversation.id, { content });
    chat.clock.advance(1_000);
    await pin(alice, id);
    ids.push(id);
  }
  const { messages } = await chat.messageActions.listPinned({ actorId: alice, conversationId: conversation.id });
  expect(messages.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 8));
});

describe('StarMessage', () => {
  test('is private: listed page by page, synced to own devices, and no change of the conversation', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const messages: Message[] = [];
    for (let index = 0; index < 5; index += 1) {
      messages.push(await chat.send(bob, conversation.id));
      chat.clock.advance(1_000);
      await star(alice, messages[index]!.id);
    }
    await star(alice, messages[0]!.id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await chat.messageActions.listStarred({ actorId: alice, cursor, limit: 2 });
      seen.push(...page.starred.map(({ message }) => message!.id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(messages.map(({ id }) => id).toReversed());
    expect((await chat.messageActions.listStarred({ actorId: bob })).starred).toEqual([]);
    const view = await chat.client.getConversation({ actorId: alice, conversationId: conversation.id });
    expect(view.changeSeq).toBe(messages.at(-1)!.changeSeq);
    await star(alice, messages[4]!.id, false);
    await eventually(() =>
      chat.framesTo(alice).some(({ type, data }) => type === 'message_starred' && data.starredAt === null),
    );
    expect(chat.framesTo(bob).some(({ type }) => type === 'message_starred')).toBe(false);
    await chat.client.deleteMessage({ actorId: bob, messageId: messages[3]!.id });
    const left = await chat.messageActions.listStarred({ actorId: alice });
    expect(left.starred.map(({ message }) => message!.id)).toEqual([2, 1, 0].map((index) => messages[index]!.id));
    expect(await chat.db('stars').where({ message_id: messages[3]!.id })).toEqual([]);
  });

  test('requires access to the message, and the list rejects a forged cursor', async () => {
    const { alice, conversation } = await chat.pair();
    const message = await chat.send(alice, conversation.id);
    expect(await chatErrorKindAndCode(star(randomUUID(), message.id))).toBe('not_found message_not_found');
    expect(await chatErrorKindAndCode(chat.messageActions.listStarred({ actorId: alice, cursor: 'x' }))).toBe(
      'invalid cursor_invalid',
    );
  });
});

describe('data attached to a message', () => {
  test('is sent with it, survives an edit, and is removed on erasure', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const first = await chat.send(bob, conversation.id);
    const reply = await chat.send(alice, conversation.id, {
      replyToSeq: first.seq,
      forwarded: true,
    });
    expect(reply).toMatchObject({
      replyTo: { seq: first.seq, messageId: first.id, senderId: bob },
      forwarded: true,
    });
    await react(bob, reply.id, '👍');
    await pin(bob, reply.id);
    const edit = anEditMessageRequest({ actorId: alice, messageId: reply.id, content: 'better' });
    const edited = await chat.client.editMessage({ ...edit });
    expect(edited).toMatchObject({
      content: 'better',
      replyTo: reply.replyTo,
      forwarded: true,
      reactions: [{ userId: bob, emoji: '👍' }],
    });
    expect(edited.pinnedAt).toBeDefined();
    const retry = await chat.client.editMessage({ ...edit, mentions: { userIds: [bob] } });
    expect(retry.mentions).toEqual([bob]);
    expect(await chat.client.deleteMessage({ actorId: alice, messageId: reply.id })).toMatchObject({
      content: '',
      replyTo: undefined,
      forwarded: false,
      reactions: [],
      mentions: [],
      pinnedAt: undefined,
    });
  });

  test('a reply refers to a message of the same conversation that its author can read', async () => {
    const { alice, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id, { replyToSeq: 99 });
    expect(sent.replyTo).toBeUndefined();
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id, { replyToSeq: -1 }))).toBe(
      'invalid message_invalid',
    );
  });

  test('is part of the export', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const first = await chat.send(bob, conversation.id);
    const reply = await chat.send(alice, conversation.id, { replyToSeq: first.seq });
    const reacted = await react(bob, reply.id, '👍');
    const exported = [];
    for await (const message of chat.client.exportMessages({ actorId: alice })) exported.push(message);
    expect(exported).toEqual([first, reacted]);
  });
});

describe('DeleteMessage', () => {
  test('is allowed for the author, and for group owner and admins at any time', async () => {
    const { conversationId, people } = await createConversationOf(3);
    const [owner, author, other] = people as [string, string, string];
    const message = await chat.send(author, conversationId);
    const erase = (actorId: string, messageId = message.id) => chat.client.deleteMessage({ actorId, messageId });
    expect(await chatErrorKindAndCode(erase(other))).toBe('forbidden not_author');
    chat.clock.advance(25 * 3_600_000);
    expect(await chatErrorKindAndCode(erase(author))).toBe('forbidden delete_expired');
    expect((await erase(owner)).deletedAt).toEqual(chat.clock.now());
    const edit = anEditMessageRequest({ actorId: owner, messageId: message.id, content: 'mine' });
    expect(await chatErrorKindAndCode(chat.client.editMessage(edit))).toBe('forbidden not_author');
  });
});
