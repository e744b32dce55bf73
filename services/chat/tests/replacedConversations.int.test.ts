import { randomUUID } from 'node:crypto';
import { commitNext, giveKeys } from './epochFixtures.ts';
import { sealedPair } from './sealFixtures.ts';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

/** Replacing a direct conversation whose beginning was shown in two versions. */

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const open = (actorId: string, otherUserId: string, replaces?: string) =>
  chat.client.getOrCreateDirect({ actorId, otherUserId, replaces });
const idOf = async (...request: Parameters<typeof open>) => (await open(...request)).conversation!.id;
const get = (actorId: string, conversationId: string) => chat.client.getConversation({ actorId, conversationId });

test('both people find the same new conversation, however often and from wherever they ask', async () => {
  const { alice, bob, sealed } = await sealedPair(chat);
  await sealed.send(alice);
  const asked = [idOf(alice, bob, sealed.id), idOf(bob, alice, sealed.id), idOf(alice, bob, sealed.id)];
  const ids = new Set(await Promise.all(asked));
  expect(ids.size).toBe(1);
  const [next = ''] = ids;
  expect(next).not.toBe(sealed.id);
  for (const [one, other] of [[alice, bob] as const, [bob, alice] as const]) {
    expect(await idOf(one, other)).toBe(next);
    expect((await get(one, sealed.id)).meta?.isReplaced).toBe(true);
    expect(await get(one, next)).toMatchObject({ meta: { isReplaced: false }, mySettings: { requestedAt: undefined } });
  }
});

test('the former conversation stays readable, and takes nothing more', async () => {
  const { alice, bob, sealed } = await sealedPair(chat);
  const sent = await sealed.send(alice);
  await idOf(alice, bob, sealed.id);
  const { messages } = await chat.client.listMessages({ actorId: bob, conversationId: sealed.id });
  expect(messages.map(({ id }) => id)).toEqual([sent.id]);
  const react = async () => chat.messageActions.setReaction(await sealed.reaction(bob, sent));
  const refusals = [sealed.send(bob), sealed.edit(alice, sent), react()];
  for (const refused of refusals) expect(await chatErrorKindAndCode(refused)).toBe('conflict conversation_replaced');
  const { conversations } = await chat.client.listConversations({ actorId: bob, cursor: '', limit: 0 });
  expect(conversations.map(({ id }) => id)).toContain(sealed.id);
});

test('the former conversation takes no epoch', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const people = [await giveKeys(chat, alice), await giveKeys(chat, bob)] as const;
  const all = new Map(people.map((one) => [one, 0] as const));
  const sealed = { id: conversation.id, kind: 1 as const, people: all, epoch: undefined };
  await commitNext(chat, sealed, people[0]);
  await idOf(alice, bob, conversation.id);
  expect(await chatErrorKindAndCode(commitNext(chat, sealed, people[1]))).toBe('conflict conversation_replaced');
});

test('the timer and the mutes go on', async () => {
  const { alice, bob, sealed } = await sealedPair(chat);
  await chat.db('conversations').where({ id: sealed.id }).update({ disappearing_seconds: 3600 });
  const mutedUntil = new Date(chat.clock.now().getTime() + 86_400_000);
  await chat.db('members').where({ conversation_id: sealed.id, user_id: bob }).update({ muted_until: mutedUntil });
  const next = await idOf(alice, bob, sealed.id);
  expect(await get(bob, next)).toMatchObject({ meta: { disappearingSeconds: 3600 }, mySettings: { mutedUntil } });
  expect((await get(alice, next)).mySettings?.mutedUntil).toBeUndefined();
});

test('a conversation that is not sealed, and a request, are not replaced', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const refusalOf = (...request: Parameters<typeof open>) => chatErrorKindAndCode(open(...request));
  expect(await refusalOf(alice, bob, conversation.id)).toBe('conflict replacement_refused');
  const { sealed, ...pair } = await sealedPair(chat);
  const since = { requested_at: chat.clock.now() };
  await chat.db('members').where({ conversation_id: sealed.id, user_id: pair.bob }).update(since);
  expect(await refusalOf(pair.alice, pair.bob, sealed.id)).toBe('conflict replacement_refused');
  expect(await idOf(pair.alice, pair.bob)).toBe(sealed.id);
  // The person who has to accept does so by asking.
  expect(await idOf(pair.bob, pair.alice, sealed.id)).not.toBe(sealed.id);
});

test("nobody replaces other people's conversation, or one with a blocked person", async () => {
  const { alice, bob, sealed } = await sealedPair(chat);
  const eve = await chat.person();
  for (const replaces of [sealed.id, randomUUID()]) await idOf(eve, bob, replaces);
  expect(await idOf(alice, bob)).toBe(sealed.id);
  expect(await chatErrorKindAndCode(open(eve, bob, 'nothing'))).toBe('not_found conversation_not_found');
  await chat.block(bob, alice);
  expect(await idOf(alice, bob, sealed.id)).toBe(sealed.id);
});
