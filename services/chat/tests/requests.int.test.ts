import { randomUUID } from 'node:crypto';
import { audiences, limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { emptyAttachmentInput } from './memoryFiles.ts';
import { accept, chat, listReceivedRequestTimes, listedFor, viewOf, waits } from './requestScene.ts';
import { nextEventId, chatErrorKindAndCode } from './startChat.ts';

const read = (actorId: string, conversationId: string, seq: number) =>
  chat.client.moveCursor({ actorId, conversationId, deliveredSeq: seq, readSeq: seq });
const receiptsOf = async (viewerId: string, conversationId: string, ofUserId: string) => {
  const { members } = await viewOf(viewerId, conversationId);
  const member = members.find(({ userId }) => userId === ofUserId);
  return [member?.deliveredSeq, member?.readSeq];
};

describe('A stranger', () => {
  test('waits for acceptance, by the receiver only, unlike a contact of the receiver', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await chat.send(alice, conversation.id);
    expect([await waits(alice, conversation.id), await waits(bob, conversation.id)]).toEqual([false, true]);
    const [listed] = (await chat.client.listConversations({ actorId: bob })).conversations;
    expect(listed?.mySettings?.requestedAt).toBeInstanceOf(Date);
    const changes = await chat.client.listChanges({ actorId: bob, conversationId: conversation.id, since: 0 });
    expect(changes.settings?.requestedAt).toBeInstanceOf(Date);

    const [adder, added] = [await chat.person(), await chat.person()];
    await chat.know(adder, [added]);
    const theirs = await chat.client.getOrCreateDirect({ actorId: adder, otherUserId: added });
    expect(await waits(added, theirs.conversation!.id)).toBe(true);
    const [writer, owner] = [await chat.person(), await chat.person()];
    await chat.know(owner, [writer]);
    const known = await chat.client.getOrCreateDirect({ actorId: writer, otherUserId: owner });
    expect(await waits(owner, known.conversation!.id)).toBe(false);
  });

  test('gets no receipts and no typing, and the receiver no push and no unread count', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    const { seq } = await chat.send(alice, id);
    await read(bob, id, seq);
    expect(await receiptsOf(alice, id, bob)).toEqual([0, 0]);
    const { seq: second } = await chat.send(alice, id);
    await chat.client.setTyping({ actorId: alice, conversationId: id, typing: true });
    await chat.client.setTyping({ actorId: bob, conversationId: id, typing: true });
    expect(
      (await chat.alerts.listAlerts({ conversationId: id, firstSeq: seq, lastSeq: second, userIds: [] })).alerts,
    ).toEqual([]);
    expect((await chat.alerts.countUnread({ userIds: [bob] })).counts).toEqual([]);

    await accept(bob, id);
    expect(await waits(bob, id)).toBe(false);
    await read(bob, id, second);
    expect(await receiptsOf(alice, id, bob)).toEqual([second, second]);
    await chat.client.setTyping({ actorId: bob, conversationId: id, typing: true });
    await eventually(() => chat.framesTo(alice).some(({ type }) => type === 'typing_start'));
    const typing = chat.frames.filter(({ frame }) => frame.type === 'typing_start' && frame.data.conversationId === id);
    expect(typing.map(({ recipients }) => recipients)).toEqual([[alice]]);
    const { seq: third } = await chat.send(alice, id);
    expect(
      (await chat.alerts.listAlerts({ conversationId: id, firstSeq: third, lastSeq: third, userIds: [] })).alerts,
    ).toMatchObject([{ userId: bob }]);
  });

  test('cannot have files read before acceptance', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const fileUrl = chat.files.store(alice);
    await chat.send(alice, conversation.id, { messageType: 'image', attachment: { ...emptyAttachmentInput, fileUrl } });
    const canRead = async (actorId: string) =>
      (await chat.client.canReadFile({ actorId, fileId: fileUrl.slice('/objects/'.length) })).allowed;
    expect([await canRead(alice), await canRead(bob)]).toEqual([true, false]);
    await accept(bob, conversation.id);
    expect(await canRead(bob)).toBe(true);
  });

  test('can send a few messages, even concurrently, and any number once accepted', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    const tries = await Promise.all(
      Array.from({ length: limits.messagesPerRequest + 4 }, () => chatErrorKindAndCode(chat.send(alice, id))),
    );
    expect(tries.filter((one) => one === 'none')).toHaveLength(limits.messagesPerRequest);
    expect(new Set(tries)).toEqual(new Set(['none', 'forbidden request_limit']));
    const first = await chat.client.listMessages({ actorId: alice, conversationId: id });
    expect(first.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    await accept(bob, id);
    await chat.send(alice, id);
  });

  test('gets the first response again for a repeated message, even at the limit', async () => {
    const { alice, conversation } = await chat.strangers();
    const retryRequest = { clientMessageId: randomUUID() };
    const sent = await chat.send(alice, conversation.id, retryRequest);
    for (let more = 1; more < limits.messagesPerRequest; more += 1) await chat.send(alice, conversation.id);
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id))).toBe('forbidden request_limit');
    expect((await chat.send(alice, conversation.id, retryRequest)).id).toBe(sent.id);
  });
});

describe('The receiver of a request', () => {
  test('accepts through the settings, and every device is notified once', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await chat.send(alice, conversation.id);
    expect((await accept(bob, conversation.id)).requestedAt).toBeUndefined();
    await accept(bob, conversation.id);
    await eventually(() => listReceivedRequestTimes(bob).length === 1);
    expect(listReceivedRequestTimes(bob)).toEqual([null]);
    expect(listReceivedRequestTimes(alice)).toEqual([]);
  });

  test('accepts by replying, and by adding the stranger as a contact', async () => {
    const one = await chat.strangers();
    await chat.send(one.alice, one.conversation.id);
    await chat.send(one.bob, one.conversation.id);
    expect(await waits(one.bob, one.conversation.id)).toBe(false);
    await eventually(() => listReceivedRequestTimes(one.bob).length === 1);

    const other = await chat.strangers();
    await chat.send(other.alice, other.conversation.id);
    await chat.know(other.bob, [other.alice]);
    await eventually(async () => !(await waits(other.bob, other.conversation.id)));
    await eventually(() => listReceivedRequestTimes(other.bob).length === 1);
    // Acceptance is permanent.
    await chat.know(other.bob, [other.alice], false);
    expect(await waits(other.bob, other.conversation.id)).toBe(false);
  });

  test('is asked again if they deleted the request and the stranger writes once more', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    await chat.send(alice, id);
    await chat.messageActions.clearConversation({ actorId: bob, conversationId: id, fromList: true });
    expect((await chat.client.listConversations({ actorId: bob })).conversations).toEqual([]);
    await chat.send(alice, id);
    const [listed] = (await chat.client.listConversations({ actorId: bob })).conversations;
    expect(listed).toMatchObject({ id, mySettings: { requestedAt: expect.any(Date) } });
  });
});

describe('A request that the receiver cleared', () => {
  const clear = (actorId: string, conversationId: string) =>
    chat.messageActions.clearConversation({ actorId, conversationId, fromList: false });

  test('is gone until the stranger writes again, and opening it does not accept it', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    await chat.send(alice, id);
    await clear(bob, id);
    expect(await listedFor(bob)).toEqual([]);
    const opened = await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: alice });
    expect([opened.conversation?.id, opened.created, await waits(bob, id)]).toEqual([id, false, true]);
    await chat.send(alice, id);
    expect([await listedFor(bob), await waits(bob, id)]).toEqual([[id], true]);
  });

  test('is gone even if it was pinned', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    await chat.send(alice, id);
    const settings = { conversationId: id, mutedUntil: undefined, unmute: false };
    await chat.messageActions.updateConversationSettings({ actorId: bob, ...settings, pinned: true });
    expect(await listedFor(bob)).toEqual([id]);
    await clear(bob, id);
    expect(await listedFor(bob)).toEqual([]);
  });
});

test('a request whose only message the receiver hid is still listed for acceptance', async () => {
  const { alice, bob, conversation } = await chat.strangers();
  const { id: messageId } = await chat.send(alice, conversation.id);
  await chat.messageActions.hideMessage({ actorId: bob, messageId });
  expect([await listedFor(bob), await waits(bob, conversation.id)]).toEqual([[conversation.id], true]);
});

test('other services can ask whether a person accepted, opened or answered a conversation', async () => {
  const has = async (actorId: string, otherUserId: string) =>
    (await chat.client.hasAccepted({ actorId, otherUserId })).accepted;
  const { alice, bob, conversation } = await chat.strangers();
  expect([await has(alice, bob), await has(bob, alice)]).toEqual([true, false]);
  await accept(bob, conversation.id);
  expect(await has(bob, alice)).toBe(true);
  expect([await has(alice, await chat.person()), await has(alice, 'nobody')]).toEqual([false, false]);
});

test.each(audiences)('messages are accepted from %s', async (messagesFrom) => {
  const [owner, contact, stranger, friend] = [
    await chat.person(),
    await chat.person(),
    await chat.person(),
    await chat.person(),
  ];
  await chat.know(owner, [contact]);
  const accepted = (await chat.client.getOrCreateDirect({ actorId: friend, otherUserId: owner })).conversation!.id;
  await accept(owner, accepted);
  await chat.takesMessagesFrom(owner, messagesFrom);
  const write = async (from: string) => {
    const { conversation } = await chat.client.getOrCreateDirect({ actorId: from, otherUserId: owner });
    const refused = await chatErrorKindAndCode(chat.send(from, conversation!.id));
    return refused === 'none' ? ((await waits(owner, conversation!.id)) ? 'request' : 'open') : refused;
  };
  expect([await write(contact), await write(stranger), await write(friend)]).toEqual(
    {
      everyone: ['open', 'request', 'open'],
      contacts: ['open', 'forbidden messages_not_allowed', 'open'],
      nobody: ['forbidden messages_not_allowed', 'forbidden messages_not_allowed', 'open'],
    }[messagesFrom],
  );
  // A blocked-out contact is let in as soon as contacts may write; a stranger needs acceptance.
  await chat.takesMessagesFrom(owner, 'everyone');
  expect([await write(contact), await write(stranger)]).toEqual(['open', 'request']);
});

test('contacts of a deleted person are not stored', async () => {
  const [owner, other] = [await chat.person(), await chat.person()];
  await chat.know(owner, [other]);
  await chat.know(other, [owner]);
  await chat.takesMessagesFrom(owner, 'contacts');
  await chat.publishEvent('event.identity.user_deleted', { userId: owner }, nextEventId(), owner);
  await eventually(async () => (await chat.db('who_may').where({ user_id: owner })).length === 0);
  expect(await chat.db('contacts').whereIn('owner_id', [owner, other])).toEqual([]);
});
