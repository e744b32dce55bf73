import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { up as listEarlier } from '../migrations/011_listings_of_before.ts';
import { createConversationStore } from '../src/store/conversations.ts';
import { startChat, type TestChat } from './startChat.ts';
import { createTestGroup } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
}, 30_000);
afterAll(() => chat.stop());

const listed = async (actorId: string, { limit = 100, type = '' } = {}) => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await chat.client.listConversations({ actorId, cursor, limit, type });
    ids.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
};

/** Creates direct conversations of a person, each with its last activity a second before the previous one. */
async function insertDirectConversations(actorId: string, count: number, everySeconds = 1): Promise<void> {
  await chat.db.raw(
    `with made as (
      insert into conversations (id, type, direct_key, last_change_seq, created_at, updated_at)
      select gen_random_uuid(), 'direct', gen_random_uuid()::text, 2, ?::timestamptz - n * ? * interval '1 second', now()
      from generate_series(1, ?) n returning id)
    insert into members (conversation_id, user_id, joined_at, change_seq)
    select id, ?::uuid, now(), 1 from made union all select id, gen_random_uuid(), now(), 2 from made`,
    [chat.clock.now(), everySeconds, count, actorId],
  );
}

const group = async (ownerId: string, ...memberIds: string[]) =>
  (await createTestGroup(chat, ownerId, { memberIds })).id;

test('order follows the last message to the millisecond, within a minute or an hour alike', async () => {
  const alice = randomUUID();
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { conversation } = await chat.client.getOrCreateDirect({ actorId: alice, otherUserId: randomUUID() });
    ids.push(conversation!.id, await group(alice));
    chat.clock.advance(20_000);
  }
  let expected = ids.toReversed();
  // A well-mixed order, in which some conversations get another message within a minute, others not for an hour.
  for (let step = 0; step < 40; step += 1) {
    const id = ids[(step * 7 + (step % 3)) % ids.length]!;
    chat.clock.advance(step % 9 === 8 ? 3_600_000 : (step * 4_999) % 61_000);
    await chat.send(alice, id);
    expected = [id, ...expected.filter((other) => other !== id)];
    if (step % 10 === 9) for (const limit of [1, 5, 100]) expect(await listed(alice, { limit })).toEqual(expected);
  }
  const isGroup = new Set(ids.filter((_, place) => place % 2 === 1));
  expect(await listed(alice, { limit: 4, type: 'group' })).toEqual(expected.filter((id) => isGroup.has(id)));
  expect(await listed(alice, { limit: 4, type: 'direct' })).toEqual(expected.filter((id) => !isGroup.has(id)));
});

test('a joiner finds the conversation in its place, and a leaver loses it until they return', async () => {
  const [alice, bob] = [randomUUID(), randomUUID()];
  const shared = await group(alice, bob);
  const { conversation } = await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: randomUUID() });
  chat.clock.advance(600_000);
  await chat.send(alice, shared);
  expect(await listed(bob)).toEqual([shared, conversation!.id]);
  await chat.groups.leaveGroup({ actorId: bob, conversationId: shared });
  expect(await listed(bob)).toEqual([conversation!.id]);
  chat.clock.advance(600_000);
  await chat.send(alice, shared);
  chat.clock.advance(600_000);
  await chat.send(bob, conversation!.id);
  await chat.groups.addMembers({ actorId: alice, conversationId: shared, userIds: [bob] });
  expect(new Set(await listed(bob))).toEqual(new Set([shared, conversation!.id]));
  const { rows } = (await chat.db.raw(
    `select count(*)::int as count from listings l join conversations c on c.id = l.conversation_id
     where c.id = any(?::uuid[]) and l.listed_at = c.listed_at`,
    [[shared, conversation!.id]],
  )) as { rows: [{ count: number }] };
  expect(rows[0].count).toBe(4);
});

test('conversations older than the list are added to it, and later ones are not duplicated', async () => {
  const alice = randomUUID();
  await insertDirectConversations(alice, 1_200);
  const before = await listed(alice);
  await chat.db.raw(
    `with gone as (delete from listings l where l.user_id = ? returning l.conversation_id)
     update conversations c set listed_at = null from gone where c.id = gone.conversation_id`,
    [alice],
  );
  expect(await listed(alice)).toEqual([]);
  await chat.send(alice, before.at(-1)!);
  await listEarlier(chat.db);
  expect(await listed(alice)).toEqual([before.at(-1), ...before.slice(0, -1)]);
});

test('listing 3,000 conversations costs as much as listing 100', async () => {
  const [many, few] = [randomUUID(), randomUUID()] as [UserId, UserId];
  await insertDirectConversations(few, 100, 600);
  await insertDirectConversations(many, 3_000, 600);
  await chat.db.raw('analyze conversations, members, listings');
  /** Returns the number of database pages that the statements of one list touch. */
  const buffersOf = async (read: (store: ReturnType<typeof createConversationStore>) => Promise<unknown>) => {
    let buffers = 0;
    const explaining = {
      raw: (sql: string) => ({
        options: async ({ values }: { values: unknown[] }) => {
          const { rows } = (await chat.db
            .raw(`explain (analyze, buffers, format json) ${sql}`)
            .options({ values } as never)) as unknown as {
            rows: [{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }];
          };
          const { Plan: plan } = rows[0]['QUERY PLAN'][0];
          buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
          return { rows: [] };
        },
      }),
    } as unknown as Knex;
    await read(createConversationStore(explaining));
    return buffers;
  };
  const place = { activityAt: new Date(chat.clock.now().getTime() - 50 * 600_000), id: randomUUID() } as never;
  for (const read of [
    (id: UserId) => (store: ReturnType<typeof createConversationStore>) => store.list(id, undefined, 51, undefined),
    (id: UserId) => (store: ReturnType<typeof createConversationStore>) => store.list(id, place, 51, undefined),
    (id: UserId) => (store: ReturnType<typeof createConversationStore>) => store.list(id, undefined, 51, 'group'),
    (id: UserId) => (store: ReturnType<typeof createConversationStore>) => store.listPinned(id, 50, undefined),
  ]) {
    const [ofMany, ofFew] = [await buffersOf(read(many)), await buffersOf(read(few))];
    expect({ ofMany, ofFew, within: ofMany <= 3 * Math.max(ofFew, 10) }).toMatchObject({ within: true });
  }
}, 60_000);
