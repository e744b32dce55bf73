import { randomUUID } from 'node:crypto';
import type { UpdateConversationSettingsRequest } from '@nolo/proto/messageActions';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const choose = (actorId: string, conversationId: string, more: Partial<UpdateConversationSettingsRequest>) =>
  chat.messageActions.updateConversationSettings({
    actorId,
    conversationId,
    mutedUntil: undefined,
    unmute: false,
    ...more,
  });
const mine = async (actorId: string, conversationId: string) =>
  (await chat.client.getConversation({ actorId, conversationId })).mySettings;
const nothing = {
  clearedSeq: 0,
  archivedAt: undefined,
  pinnedAt: undefined,
  mutedUntil: undefined,
  mutedExceptMentions: false,
  markedUnread: false,
  hiddenAt: undefined,
  requestedAt: undefined,
};

test("settings are private, synced to a person's own devices, and no change of the conversation", async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id, changeSeq } = conversation;
  const now = chat.clock.now();
  const until = new Date(now.getTime() + 3_600_000);
  expect(
    await choose(alice, id, { pinned: true, mutedUntil: until, mutedExceptMentions: true, markedUnread: true }),
  ).toEqual({
    archivedAt: undefined,
    pinnedAt: now,
    mutedUntil: until,
    mutedExceptMentions: true,
    markedUnread: true,
    clearedSeq: 0,
    hiddenAt: undefined,
    requestedAt: undefined,
  });
  expect(await mine(bob, id)).toEqual(nothing);
  expect((await chat.client.getConversation({ actorId: alice, conversationId: id })).changeSeq).toBe(changeSeq);
  await eventually(() => chat.framesTo(alice).some(({ type }) => type === 'conversation_settings'));
  const frame = chat.framesTo(alice).find(({ type }) => type === 'conversation_settings');
  expect(frame?.data).toEqual({
    conversationId: id,
    archivedAt: null,
    pinnedAt: now.toISOString(),
    mutedUntil: until.toISOString(),
    mutedExceptMentions: true,
    markedUnread: true,
    clearedSeq: 0,
    hiddenAt: null,
    requestedAt: null,
  });
  expect(chat.framesTo(bob).some(({ type }) => type === 'conversation_settings')).toBe(false);
  // Archived conversations cannot be pinned.
  expect(await choose(alice, id, { archived: true })).toMatchObject({ archivedAt: now, pinnedAt: undefined });
  expect(await choose(alice, id, { pinned: true, unmute: true, mutedExceptMentions: false })).toEqual({
    ...nothing,
    pinnedAt: now,
    markedUnread: true,
  });
  expect(await choose(alice, id, { pinned: false, markedUnread: false })).toEqual(nothing);
});

test('settings require membership of the conversation', async () => {
  const { conversation } = await chat.pair();
  expect(await chatErrorKindAndCode(choose(randomUUID(), conversation.id, { archived: true }))).toBe(
    'not_found conversation_not_found',
  );
  expect(await chatErrorKindAndCode(choose(randomUUID(), randomUUID(), {}))).toBe('not_found conversation_not_found');
});

test('pinned conversations are limited, and come first on the first page', async () => {
  const alice = await chat.person();
  const ids: string[] = [];
  for (let index = 0; index <= limits.pinnedConversationsPerUser; index += 1) {
    const { conversation } = await chat.client.getOrCreateDirect({ actorId: alice, otherUserId: randomUUID() });
    ids.push(conversation!.id);
    chat.clock.advance(1_000);
  }
  const [first, ...others] = ids as [string, ...string[]];
  for (const id of others) await choose(alice, id, { pinned: true });
  expect(await chatErrorKindAndCode(choose(alice, first, { pinned: true }))).toBe('conflict too_many_pinned');
  // Pinning a pinned one again changes nothing.
  await choose(alice, others[0]!, { pinned: true });
  for (const id of others) await choose(alice, id, { pinned: false });
  await choose(alice, first, { pinned: true });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await chat.client.listConversations({ actorId: alice, cursor, limit: 4 });
    seen.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([first, ...others.toReversed()]);
});

describe('an archived conversation', () => {
  test('leaves the archive on a new message, on all devices of the person who archived it', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await choose(alice, conversation.id, { archived: true });
    await choose(bob, conversation.id, { archived: true });
    await chat.send(bob, conversation.id);
    expect(await mine(alice, conversation.id)).toEqual(nothing);
    expect(await mine(bob, conversation.id)).toEqual(nothing);
    for (const userId of [alice, bob]) {
      await eventually(() => {
        const frames = chat.framesTo(userId).filter(({ type }) => type === 'conversation_settings');
        return (
          frames.length === 2 && frames[1]?.data && 'archivedAt' in frames[1].data && frames[1].data.archivedAt === null
        );
      });
    }
  });

  test('stays archived while it is muted', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const mutedUntil = new Date(chat.clock.now().getTime() + 60_000);
    await choose(alice, conversation.id, { archived: true, mutedUntil });
    await chat.send(bob, conversation.id);
    expect((await mine(alice, conversation.id))?.archivedAt).toBeDefined();
    chat.clock.advance(60_000);
    await chat.send(bob, conversation.id);
    expect((await mine(alice, conversation.id))?.archivedAt).toBeUndefined();
  });

  test('stays archived for people who prefer that', async () => {
    const { alice, bob, conversation } = await chat.pair();
    expect(await chat.client.updatePreferences({ actorId: alice, keepArchived: true })).toEqual({
      shareReceipts: true,
      keepArchived: true,
    });
    for (const userId of [alice, bob]) await choose(userId, conversation.id, { archived: true });
    await chat.send(bob, conversation.id);
    expect((await mine(alice, conversation.id))?.archivedAt).toBeDefined();
    expect((await mine(bob, conversation.id))?.archivedAt).toBeUndefined();
    await chat.client.updatePreferences({ actorId: alice, keepArchived: false });
    await chat.send(bob, conversation.id);
    expect((await mine(alice, conversation.id))?.archivedAt).toBeUndefined();
  });

  test('stays archived on a system message', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await choose(alice, conversation.id, { archived: true });
    await chat.messageActions.setTimer({ actorId: bob, conversationId: conversation.id, seconds: 60 });
    expect((await mine(alice, conversation.id))?.archivedAt).toBeDefined();
  });
});

test('a conversation marked as unread stays so until something is read or sent', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { seq } = await chat.send(bob, conversation.id);
  await choose(alice, conversation.id, { markedUnread: true });
  await chat.client.moveCursor({ actorId: alice, conversationId: conversation.id, deliveredSeq: seq });
  expect((await mine(alice, conversation.id))?.markedUnread).toBe(true);
  await chat.client.moveCursor({ actorId: alice, conversationId: conversation.id, readSeq: seq });
  expect((await mine(alice, conversation.id))?.markedUnread).toBe(false);
  await choose(alice, conversation.id, { markedUnread: true });
  await chat.send(alice, conversation.id);
  expect((await mine(alice, conversation.id))?.markedUnread).toBe(false);
});
