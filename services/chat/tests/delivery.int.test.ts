import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import type { Message } from '@nolo/proto/conversation';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { toMessageFrameData } from '../src/domain/frames.ts';
import type { StoredMessage } from '../src/domain/message.ts';
import { nextEventId, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { emptyAttachmentInput } from './memoryFiles.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const framesOf = (userId: string, type: string) => chat.framesTo(userId).filter((frame) => frame.type === type);

/** Converts the reply of an RPC as domain/frames.ts would; the output of SQL must be equal. */
function asData(message: Message) {
  const { attachment, held: isUnapproved, ...rest } = message;
  expect(isUnapproved).toBe(false);
  return toMessageFrameData({
    ...rest,
    clientMessageId: message.clientMessageId || null,
    fileUrl: attachment?.fileUrl || null,
    fileSize: attachment?.fileSize || null,
    voiceMessageUrl: attachment?.voiceMessageUrl || null,
    previewUrl: attachment?.previewUrl || null,
    replyTo: message.replyTo ?? null,
    pinnedAt: message.pinnedAt ?? null,
    expiresAt: message.expiresAt ?? null,
    editedAt: message.editedAt ?? null,
    deletedAt: message.deletedAt ?? null,
  } as unknown as StoredMessage);
}

test('both members receive the full message, its edit and its tombstone', async () => {
  const { alice, bob, conversation } = await chat.pair();
  chat.clock.set('2026-11-20T12:00:00.070Z');
  const sent = await chat.send(alice, conversation.id, {
    content: 'quotes " and \\ and ✓\n',
    messageType: 'voice',
    mentions: [bob],
    attachment: {
      ...emptyAttachmentInput,
      voiceMessageUrl: chat.files.store(alice, 'voice'),
      previewUrl: chat.files.store(alice),
    },
  });
  // A frame shows its message as it is at delivery, so each one arrives before the next change.
  await eventually(() => [alice, bob].every((person) => framesOf(person, 'new_message').length === 1));
  const edited = await chat.client.editMessage(
    anEditMessageRequest({ actorId: alice, messageId: sent.id, content: 'better' }),
  );
  // An undelivered frame of a message that was erased is delivered as its tombstone.
  await eventually(() => [alice, bob].every((person) => framesOf(person, 'message_updated').length === 1));
  const gone = await chat.client.deleteMessage({ actorId: alice, messageId: sent.id });
  await eventually(
    () => framesOf(alice, 'message_updated').length === 2 && framesOf(bob, 'message_updated').length === 2,
  );
  for (const person of [alice, bob]) {
    expect(framesOf(person, 'conversation_created').map(({ data }) => data)).toEqual([
      { conversationId: conversation.id },
    ]);
    expect(framesOf(person, 'new_message').map(({ data }) => data)).toEqual([asData(sent)]);
    expect(framesOf(person, 'message_updated').map(({ data }) => data)).toEqual([asData(edited), asData(gone)]);
  }
  expect(asData(sent).createdAt).toBe('2026-11-20T12:00:00.070Z');
});

test('frames of a busy conversation arrive in order of its changes', async () => {
  const { alice, bob, conversation } = await chat.pair();
  await Promise.all(Array.from({ length: 200 }, (_, index) => chat.send(index % 2 ? alice : bob, conversation.id)));
  await eventually(() => framesOf(bob, 'new_message').length >= 200);
  const seqs = framesOf(bob, 'new_message').map(({ data }) => (data as { seq: number }).seq);
  expect(seqs).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
});

test('a sender with unread messages is notified on other devices that they are now read', async () => {
  const { alice, bob, conversation } = await chat.pair();
  await chat.send(alice, conversation.id);
  await chat.send(bob, conversation.id);
  await eventually(() => framesOf(bob, 'read_cursor').length > 0);
  const data = { conversationId: conversation.id, readSeq: 2, unreadCount: 0 };
  expect(framesOf(bob, 'read_cursor')).toEqual([{ type: 'read_cursor', data }]);
  expect(framesOf(alice, 'read_cursor')).toEqual([]);
});

test('rows left in the outbox by a killed process are delivered by the next one', async () => {
  const alice = await chat.person();
  const data = { conversationId: randomUUID() };
  await chat.db('outbox').insert({
    id: nextEventId(),
    subject: 'deliver',
    payload: JSON.stringify({ to: [alice], fact: { type: 'conversation_created', of: data } }),
  });
  await eventually(() => framesOf(alice, 'conversation_created').length === 1);
  await eventually(async () => (await chat.db('outbox').first('id')) === undefined);
});

describe('SetTyping', () => {
  const type = (actorId: string, conversationId: string, typing = true) =>
    chat.client.setTyping({ actorId, conversationId, typing });

  test("notifies the other members, within the conversation's scope", async () => {
    const { alice, bob, conversation } = await chat.pair();
    await type(alice, conversation.id);
    await type(alice, conversation.id, false);
    await eventually(() => framesOf(bob, 'typing_stop').length === 1);
    const sent = chat.frames.filter(({ frame }) => frame.type.startsWith('typing') && 'userId' in frame.data);
    const data = { conversationId: conversation.id, userId: alice };
    expect(sent.filter(({ frame }) => (frame.data as { userId: string }).userId === alice)).toEqual([
      { recipients: [bob], scope: conversation.id, frame: { type: 'typing_start', data } },
      { recipients: [bob], scope: conversation.id, frame: { type: 'typing_stop', data } },
    ]);
  });

  test('sends nothing to or about a blocked person, without revealing it', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await chat.block(alice, bob);
    expect(await type(alice, conversation.id)).toEqual({});
    expect(await type(bob, conversation.id)).toEqual({});
    await chat.block(alice, bob, false);
    await type(bob, conversation.id, false);
    await eventually(() => framesOf(alice, 'typing_stop').length === 1);
    expect([...framesOf(alice, 'typing_start'), ...framesOf(bob, 'typing_start')]).toEqual([]);
  });

  test('is closed to strangers', async () => {
    const { conversation } = await chat.pair();
    expect(await chatErrorKindAndCode(type(randomUUID(), conversation.id))).toBe('not_found conversation_not_found');
  });
});
