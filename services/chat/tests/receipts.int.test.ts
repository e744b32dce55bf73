import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { runInParallel, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createTestGroup } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const move = (actorId: string, conversationId: string, to: { deliveredSeq?: number; readSeq?: number }) =>
  chat.client.moveCursor({ actorId, conversationId, deliveredSeq: undefined, readSeq: undefined, ...to });

const share = (actorId: string, shareReceipts: boolean) => chat.client.updatePreferences({ actorId, shareReceipts });

/** Returns the receipts of `ofUserId` as seen by `viewerId`: delivered, read. */
async function seenBy(viewerId: string, conversationId: string, ofUserId: string) {
  const view = await chat.client.getConversation({ actorId: viewerId, conversationId });
  const listed = await chat.client.listConversations({ actorId: viewerId });
  const changes = await chat.client.listChanges({ actorId: viewerId, conversationId, since: 0 });
  const member = view.members.find(({ userId }) => userId === ofUserId)!;
  expect(listed.conversations.find(({ id }) => id === conversationId)!.members).toContainEqual(member);
  const changed = changes.changes.map(({ what }) => (what?.$case === 'member' ? what.value : undefined));
  expect(changed).toContainEqual(member);
  return [member.deliveredSeq, member.readSeq];
}

async function pairWith(count: number) {
  const pair = await chat.pair();
  for (let index = 0; index < count; index += 1) await chat.send(pair.alice, pair.conversation.id);
  return { ...pair, id: pair.conversation.id };
}

describe('MoveCursor', () => {
  test('only moves forward, stops at the end, and counts reading as delivery', async () => {
    const { alice, bob, id } = await pairWith(5);
    expect(await move(bob, id, { deliveredSeq: 2 })).toEqual({ readSeq: 0, unreadCount: 5 });
    expect(await seenBy(alice, id, bob)).toEqual([2, 0]);
    expect(await move(bob, id, { readSeq: 3 })).toEqual({ readSeq: 3, unreadCount: 2 });
    expect(await seenBy(alice, id, bob)).toEqual([3, 3]);
    expect(await move(bob, id, { deliveredSeq: 1, readSeq: 1 })).toEqual({ readSeq: 3, unreadCount: 2 });
    expect(await seenBy(alice, id, bob)).toEqual([3, 3]);
    expect(await move(bob, id, { readSeq: Number.MAX_SAFE_INTEGER })).toEqual({ readSeq: 5, unreadCount: 0 });
    expect(await move(bob, id, { readSeq: -1 })).toEqual({ readSeq: 5, unreadCount: 0 });
    expect(await seenBy(alice, id, bob)).toEqual([5, 5]);
  });

  test('creates a change only if something moves', async () => {
    const { alice, bob, id } = await pairWith(3);
    const counter = async () => (await chat.client.getConversation({ actorId: alice, conversationId: id })).changeSeq;
    const before = await counter();
    await Promise.all(Array.from({ length: 30 }, () => move(bob, id, { readSeq: 3 })));
    expect(await counter()).toBe(before + 1);
    for (let round = 1; round <= 20; round += 1) {
      await chat.send(alice, id);
      await Promise.all(Array.from({ length: 8 }, () => move(bob, id, { readSeq: 1000 })));
      expect(await counter()).toBe(before + 1 + 2 * round);
    }
    await move(bob, id, {});
    await move(bob, id, { deliveredSeq: 3, readSeq: 2 });
    expect(await counter()).toBe(before + 41);
  });

  test('never moves back with concurrent devices, senders and readers', async () => {
    const { alice, bob, id } = await pairWith(1);
    const seen: number[] = [];
    await runInParallel(150, 12, async (index) => {
      if (index % 3 === 0) await chat.send(alice, id);
      else seen.push((await move(bob, id, { readSeq: Math.ceil(Math.random() * 60) })).readSeq);
    });
    await move(bob, id, { readSeq: 1000 });
    expect(await seenBy(alice, id, bob)).toEqual([51, 51]);
    const changes = await chat.client.listChanges({ actorId: alice, conversationId: id, since: 0, limit: 500 });
    expect(Math.max(...seen)).toBeLessThanOrEqual(51);
    expect(new Set(changes.changes.map(({ changeSeq }) => changeSeq)).size).toBe(changes.changes.length);
  });

  test('is closed to strangers', async () => {
    const { id } = await pairWith(1);
    expect(await chatErrorKindAndCode(move(randomUUID(), id, { readSeq: 1 }))).toBe('not_found conversation_not_found');
  });
});

describe('opting out of receipts', () => {
  test('is off by default, persists, and is kept by an empty update', async () => {
    const alice = randomUUID();
    expect(await chat.client.getPreferences({ actorId: alice })).toEqual({ shareReceipts: true, keepArchived: false });
    expect(await share(alice, false)).toEqual({ shareReceipts: false, keepArchived: false });
    expect(await chat.client.updatePreferences({ actorId: alice, shareReceipts: undefined })).toEqual({
      shareReceipts: false,
      keepArchived: false,
    });
    expect(await chat.client.getPreferences({ actorId: alice })).toEqual({ shareReceipts: false, keepArchived: false });
    expect(await share(alice, true)).toEqual({ shareReceipts: true, keepArchived: false });
  });

  test('hides receipts both ways at once, and later shows what was shared before', async () => {
    const { alice, bob, id } = await pairWith(4);
    await move(bob, id, { readSeq: 2 });
    await move(alice, id, { readSeq: 4 });
    await share(bob, false);
    expect(await seenBy(alice, id, bob)).toEqual([0, 0]);
    expect(await seenBy(bob, id, alice)).toEqual([0, 0]);
    expect(await seenBy(alice, id, alice)).toEqual([4, 4]);
    // The private cursor still moves.
    expect(await move(bob, id, { readSeq: 4 })).toEqual({ readSeq: 4, unreadCount: 0 });
    expect(await seenBy(alice, id, bob)).toEqual([0, 0]);
    await share(bob, true);
    expect(await seenBy(alice, id, bob)).toEqual([2, 2]);
    expect(await seenBy(bob, id, alice)).toEqual([4, 4]);
    await move(bob, id, { readSeq: 4 });
    expect(await seenBy(alice, id, bob)).toEqual([4, 4]);
  });

  test('shares nothing while one of two opts out, and the read position once both share', async () => {
    const { alice, bob, id } = await pairWith(2);
    await share(alice, false);
    const counter = async () => (await chat.client.getConversation({ actorId: bob, conversationId: id })).changeSeq;
    const before = await counter();
    await move(bob, id, { readSeq: 1 });
    await move(alice, id, { readSeq: 2 });
    const listReceivedFrames = (userId: string, type: string) =>
      chat.framesTo(userId).filter((frame) => frame.type === type && 'conversationId' in frame.data);
    await eventually(() => listReceivedFrames(bob, 'read_cursor').length > 0);
    expect(listReceivedFrames(bob, 'read_cursor')).toEqual([
      { type: 'read_cursor', data: { conversationId: id, readSeq: 1, unreadCount: 1 } },
    ]);
    expect([...listReceivedFrames(alice, 'receipt'), ...listReceivedFrames(bob, 'receipt')]).toEqual([]);
    expect(await counter()).toBe(before);
    await share(alice, true);
    await move(bob, id, { readSeq: 1 });
    expect(await seenBy(alice, id, bob)).toEqual([1, 1]);
  });
});

describe('receipts in a group', () => {
  /** Creates a group of `count` people, three of whom have a device with notifications. */
  async function groupOf(count: number) {
    const [author, reader, other] = (await Promise.all([0, 1, 2].map(() => chat.person()))) as [string, string, string];
    const far = Array.from({ length: count - 3 }, () => randomUUID());
    const { id } = await createTestGroup(chat, author, { memberIds: [reader, other, ...far] });
    return { id, author, reader, other, far: far[0]! };
  }
  const listReceivedFrames = (userId: string, conversationId: string) =>
    chat
      .framesTo(userId)
      .flatMap(({ type, data }) => (type === 'receipt' && data.conversationId === conversationId ? [data] : []));
  const listReaderFrames = (userId: string, conversationId: string) =>
    chat
      .framesTo(userId)
      .flatMap(({ type, data }) =>
        type === 'receipts' && data.conversationId === conversationId ? data.receipts : [],
      );
  const counter = async (actorId: string, conversationId: string) =>
    (await chat.client.getConversation({ actorId, conversationId })).changeSeq;

  test('are changes sent to everyone within the size limit', async () => {
    const { id, author, reader, other } = await groupOf(limits.receiptsToAllMembers);
    const { seq } = await chat.send(author, id);
    const before = await counter(author, id);
    await move(reader, id, { readSeq: seq });
    expect(await counter(author, id)).toBe(before + 1);
    await eventually(() => [author, reader, other].every((userId) => listReceivedFrames(userId, id).length === 1));
    expect(listReceivedFrames(other, id)).toEqual([
      { conversationId: id, changeSeq: before + 1, userId: reader, deliveredSeq: seq, readSeq: seq },
    ]);
  });

  test('have no number above the size limit, and go to the authors concerned and into the member list', async () => {
    const { id, author, reader, other, far } = await groupOf(limits.receiptsToAllMembers + 1);
    const first = await chat.send(author, id);
    const before = await counter(author, id);
    expect(await move(reader, id, { readSeq: first.seq })).toEqual({ readSeq: first.seq, unreadCount: 0 });
    expect(await counter(author, id)).toBe(before);
    await eventually(() => listReaderFrames(author, id).length === 1);
    expect(listReaderFrames(author, id)).toEqual([{ userId: reader, readSeq: first.seq }]);

    // A message that approves a draft is its author's.
    const approving = await chat.send(author, id);
    const draft = { id: randomUUID(), conversation_id: id, sender_id: other };
    await chat.db('held_messages').insert({ ...draft, held_at: new Date(), rejected_at: new Date() });
    await chat.db('messages').where({ id: approving.id }).update({ draft_id: draft.id });
    await move(reader, id, { readSeq: approving.seq });
    await eventually(() => listReaderFrames(other, id).length === 1);
    expect(listReaderFrames(author, id)).toHaveLength(1);

    const second = await chat.send(other, id);
    await move(reader, id, { readSeq: second.seq });
    await eventually(() => listReaderFrames(other, id).length === 2);
    const { changes } = await chat.client.listChanges({ actorId: author, conversationId: id, since: before });
    expect(changes.map(({ what }) => what?.$case)).toEqual(['message', 'message']);
    const { members } = await chat.groups.listMembers({ actorId: author, conversationId: id });
    expect(members.find(({ userId }) => userId === reader)).toMatchObject({
      deliveredSeq: second.seq,
      readSeq: second.seq,
    });

    // An author who does not share receipts gets none, and people who do not share them are not reported.
    await share(author, false);
    const third = await chat.send(author, id);
    await move(reader, id, { readSeq: third.seq });
    await share(reader, false);
    const fourth = await chat.send(other, id);
    expect(await move(reader, id, { readSeq: fourth.seq })).toEqual({ readSeq: fourth.seq, unreadCount: 0 });
    await move(far, id, { readSeq: fourth.seq });
    await eventually(() => listReaderFrames(other, id).some(({ userId }) => userId === far));
    expect(listReaderFrames(other, id).map(({ userId }) => userId)).toEqual([reader, reader, far]);
    expect(listReaderFrames(author, id)).toHaveLength(1);
    expect(listReaderFrames(reader, id)).toEqual([]);

    // A mere delivery is neither published nor stored.
    const arrived = await chat.send(other, id);
    await move(reader, id, { deliveredSeq: arrived.seq });
    const view = await chat.groups.listMembers({ actorId: reader, conversationId: id });
    expect(view.members.find(({ userId }) => userId === reader)?.deliveredSeq).toBeLessThan(arrived.seq);

    // Everyone is notified as before after the group becomes smaller again.
    await chat.groups.leaveGroup({ actorId: far, conversationId: id });
    const fifth = await chat.send(reader, id);
    const then = await counter(other, id);
    await move(other, id, { readSeq: fifth.seq });
    expect(await counter(other, id)).toBe(then + 1);
    await eventually(() => listReceivedFrames(author, id).length === 1);
    expect(listReceivedFrames(author, id)[0]).toEqual({ conversationId: id, changeSeq: then + 1 });
  });
});
