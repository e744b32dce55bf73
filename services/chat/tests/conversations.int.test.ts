import { randomUUID } from 'node:crypto';
import { isAppError } from '@nolo/kit/errors';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

/** Retries like callers do if the storage is unavailable. */
async function answered<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 5 || !(isAppError(error) && error.code === 'storage_unavailable')) throw error;
    }
  }
}

describe('GetOrCreateDirect', () => {
  test('creates one conversation for two people, even when both ask concurrently', async () => {
    const [alice, bob] = [await chat.person(), await chat.person()];
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? { actorId: alice, otherUserId: bob } : { actorId: bob, otherUserId: alice },
    );
    // The service has no database connection yet, and a busy machine may fail to open ten within its timeout.
    const replies = await Promise.all(
      requests.map((request) => answered(() => chat.client.getOrCreateDirect(request))),
    );
    expect(new Set(replies.map(({ conversation }) => conversation!.id)).size).toBe(1);
    // The two are strangers, and each creates it once by opening it.
    const creators = requests.filter((_, index) => replies[index]?.created).map(({ actorId }) => actorId);
    expect(creators.toSorted()).toEqual([alice, bob].toSorted());
    const { conversation } = replies[0]!;
    expect(conversation).toMatchObject({ type: 'direct', lastSeq: 0, changeSeq: 2, readSeq: 0, unreadCount: 0 });
    expect(conversation!.members.map(({ userId }) => userId).toSorted()).toEqual([alice, bob].toSorted());
    expect(conversation!.lastMessage).toBeUndefined();
  });

  test('rejects a conversation with the same or an unknown account', async () => {
    const alice = randomUUID();
    const open = (otherUserId: string) =>
      chatErrorKindAndCode(chat.client.getOrCreateDirect({ actorId: alice, otherUserId }));
    expect(await open(alice)).toBe('invalid conversation_with_self');
    expect(await open(alice.toUpperCase())).toBe('invalid conversation_with_self');
    expect(await open('nobody')).toBe('forbidden user_unavailable');
  });

  test('treats both sides of a block alike, and still opens an existing conversation', async () => {
    const [alice, bob] = [randomUUID(), randomUUID()];
    await chat.block(alice, bob);
    const open = (actorId: string, otherUserId: string) => chat.client.getOrCreateDirect({ actorId, otherUserId });
    expect(await chatErrorKindAndCode(open(alice, bob))).toBe('forbidden user_unavailable');
    expect(await chatErrorKindAndCode(open(bob, alice))).toBe('forbidden user_unavailable');
    const pair = await chat.pair();
    await chat.block(pair.alice, pair.bob);
    expect((await open(pair.bob, pair.alice)).conversation!.id).toBe(pair.conversation.id);
  });
});

describe('ListConversations', () => {
  const page = async (actorId: string, cursor = '', limit = 0) => {
    const reply = await chat.client.listConversations({ actorId, cursor, limit });
    return { ids: reply.conversations.map(({ id }) => id), ...reply };
  };

  test('lists the latest activity first, and pages through everything once', async () => {
    const alice = randomUUID();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      // Each pair has the same time, so the ID has to decide.
      if (index % 2) chat.clock.advance(1000);
      const { conversation } = await chat.client.getOrCreateDirect({ actorId: alice, otherUserId: randomUUID() });
      ids.push(conversation!.id);
    }
    chat.clock.advance(1000);
    await chat.send(alice, ids[2]!);
    const all = await page(alice);
    expect(all.ids[0]).toBe(ids[2]);
    expect(all.ids.toSorted()).toEqual(ids.toSorted());
    expect(all.nextCursor).toBeUndefined();
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const next = await page(alice, cursor, 3);
      paged.push(...next.ids);
      cursor = next.nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.ids);
  });

  test('shows the last message, cursors and unread count of each viewer', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await chat.send(alice, conversation.id, { content: 'one' });
    const last = await chat.send(alice, conversation.id, { content: 'two' });
    const forBob = (await page(bob)).conversations[0]!;
    expect(forBob).toMatchObject({ lastSeq: 2, readSeq: 0, unreadCount: 2, lastMessage: last });
    expect((await page(alice)).conversations[0]).toMatchObject({ readSeq: 2, unreadCount: 0 });
    // Replying implies reading.
    await chat.send(bob, conversation.id);
    expect((await page(bob)).conversations[0]).toMatchObject({ readSeq: 3, unreadCount: 0 });
    expect((await page(alice)).conversations[0]).toMatchObject({ readSeq: 2, unreadCount: 1 });
    expect(await chat.client.getConversation({ actorId: bob, conversationId: conversation.id })).toEqual(
      (await page(bob)).conversations[0],
    );
  });

  test('rejects a forged cursor and an actor without an id', async () => {
    expect(await chatErrorKindAndCode(page(randomUUID(), 'bm9uc2Vuc2U'))).toBe('invalid cursor_invalid');
    expect(await chatErrorKindAndCode(page('nobody'))).toBe('invalid actor_invalid');
    expect((await page(randomUUID())).ids).toEqual([]);
  });

  test('stays fast with 2,000 conversations', async () => {
    const alice = randomUUID();
    await chat.db.raw(
      `with made as (
        insert into conversations (id, type, direct_key, last_change_seq, created_at, updated_at)
        select gen_random_uuid(), 'direct', 'bulk ' || n, 2, now() - n * interval '1 second', now()
        from generate_series(1, 2000) n returning id)
      insert into members (conversation_id, user_id, joined_at, change_seq)
      select id, ?::uuid, now(), 1 from made union all select id, gen_random_uuid(), now(), 2 from made`,
      [alice],
    );
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const next = await page(alice, cursor, 100);
      for (const id of next.ids) seen.add(id);
      cursor = next.nextCursor;
    } while (cursor !== undefined);
    expect(seen.size).toBe(2000);
  });
});

describe('GetConversation', () => {
  test('is closed to strangers', async () => {
    const { conversation } = await chat.pair();
    for (const conversationId of [conversation.id, randomUUID(), '']) {
      const call = chat.client.getConversation({ actorId: randomUUID(), conversationId });
      expect(await chatErrorKindAndCode(call)).toBe('not_found conversation_not_found');
    }
  });
});

describe('ExportMessages', () => {
  const exported = async (actorId: string) => {
    const contents: string[] = [];
    for await (const message of chat.client.exportMessages({ actorId })) contents.push(message.content);
    return contents;
  };

  test('streams the messages a person wrote or can read, and no others', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const { conversation: apart } = await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: randomUUID() });
    await chat.send(bob, apart!.id, { content: 'not for alice' });
    await chat.db.raw(
      `insert into messages (conversation_id, seq, id, sender_id, change_seq, content, encryption, message_type, created_at)
      select ?, n, gen_random_uuid(), ?, n + 2, 'message ' || n, 'none', 'text', now() from generate_series(1, 1203) n`,
      [conversation.id, bob],
    );
    expect(await exported(alice)).toEqual(Array.from({ length: 1203 }, (_, index) => `message ${index + 1}`));
    expect(await exported(bob)).toHaveLength(1204);
    expect(await exported(randomUUID())).toEqual([]);
  });
});
