import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createTestEnvironment, createFakeClock, openDatabase, type TestEnvironment } from '@nolo/testing';
import { eraseAgedMessages } from '../src/jobs/eraseAgedMessages.ts';
import { removeInactiveMeetingChats } from '../src/jobs/removeInactiveMeetingChats.ts';
import { createConversationStore } from '../src/store/conversations.ts';
import { createMeetingMemberStore } from '../src/store/meetingMembers.ts';
import { createMessageStore, systemMessagesBySql, messagesWrittenBySql } from '../src/store/messages.ts';
import { createRetentionStore, inactiveMeetingChatsSql } from '../src/store/retention.ts';

const dayMs = 86_400_000;
let environment: TestEnvironment<'chat'>;
let db: Knex;
const clock = createFakeClock();
const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);
const person = () => randomUUID() as UserId;

beforeAll(async () => {
  environment = await createTestEnvironment(['chat']);
  db = openDatabase(environment.urls.chat, 'chat');
});
afterAll(async () => {
  await db?.destroy();
  await environment?.drop();
});

/** Inserts messages directly into the table, many at once. */
async function fill(conversationId: ConversationId, senderId: UserId, count: number, from = 1): Promise<void> {
  await db.raw(
    `insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
       message_type, created_at)
     select ?, n, gen_random_uuid(), ?, gen_random_uuid(), n, 'words', 'none', 'text', now()
     from generate_series(?::int, ?::int) as n`,
    [conversationId, senderId, from, from + count - 1],
  );
  await db('conversations')
    .where({ id: conversationId })
    .update({ last_seq: from + count - 1, last_change_seq: from + count - 1 });
}

async function meetingChat(days: number): Promise<ConversationId> {
  const [id, userId] = [randomUUID() as ConversationId, person()];
  await createMeetingMemberStore(db).join(id, userId, 'owner', ago(days));
  return id;
}

/** Returns the number of buffers that a statement reads, and its plan. */
async function explained(sql: string, values: unknown[]): Promise<{ buffers: number; plan: string }> {
  const query = `explain (analyze, buffers, format json) ${sql}`;
  const { rows } = (await db.raw(query).options({ values })) as {
    rows: [{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }];
  };
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
  return { buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], plan: JSON.stringify(plan) };
}

describe('conversations of meetings', () => {
  it('are deleted with everything attached after a long time without activity', async () => {
    const [silent, lately] = [await meetingChat(100), await meetingChat(100)];
    const sender = person();
    await fill(silent, sender, 1_200);
    const first = (await db('messages').where({ conversation_id: silent, seq: 1 }).first('id')) as { id: string };
    const fileId = randomUUID();
    await db('messages')
      .where({ id: first.id })
      .update({ file_ids: [fileId] });
    await db('reactions').insert({
      conversation_id: silent,
      seq: 1,
      user_id: sender,
      emoji: '👍',
      reacted_at: ago(99),
    });
    await db('stars').insert({
      user_id: sender,
      message_id: first.id,
      conversation_id: silent,
      seq: 1,
      starred_at: ago(99),
    });
    await db('bans').insert({ conversation_id: silent, user_id: person(), banned_by: sender, banned_at: ago(99) });
    await db('conversations')
      .where({ id: lately })
      .update({ updated_at: ago(10) });
    const direct = await createConversationStore(db).getOrCreateDirect(person(), person(), ago(100));

    const task = removeInactiveMeetingChats({ retention: createRetentionStore(db), days: 90, clock });
    await Promise.all([task.run(), task.run()]);

    const left = (await db('conversations').select('id')) as { id: string }[];
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([lately, direct?.id]));
    for (const table of ['messages', 'reactions', 'stars', 'bans', 'members']) {
      expect([table, await db(table).where({ conversation_id: silent })]).toEqual([table, []]);
    }
    const released = (await db('events')
      .where({ subject: 'event.chat.files_released' })
      .select('payload')) as unknown[];
    expect(released).toEqual([{ payload: { fileIds: [fileId] } }]);
    // Returning to the meeting creates a new conversation.
    expect(await createMeetingMemberStore(db).join(silent, sender, 'member', clock.now())).toBe(true);
  });

  it('are found by an index', async () => {
    const { plan } = await explained(inactiveMeetingChatsSql, [ago(90), 100, null]);
    expect(plan).toContain('conversations_of_meetings');
  });
});

describe('messages of one author', () => {
  it('are found without reading those of others', async () => {
    const [ann, ben] = [person(), person()];
    const direct = (await createConversationStore(db).getOrCreateDirect(ann, ben, ago(1)))?.id as ConversationId;
    await fill(direct, ben, 30_000);
    await fill(direct, ann, 300, 30_001);
    await db.raw('analyze messages');
    const messages = createMessageStore(db);
    const page = await messages.writtenBy(ann, undefined, 200);
    expect(page).toHaveLength(200);
    const start = '00000000-0000-0000-0000-000000000000';
    for (const { buffers, plan } of [
      await explained(messagesWrittenBySql, [ann, start, 200]),
      await explained(systemMessagesBySql, [ann, 200]),
    ]) {
      expect(plan).toContain('messages_sender_id_client_message_id_key');
      // Each message is on its own page in the worst case; all messages of others would be about 400 pages.
      expect(buffers).toBeLessThan(250);
    }
    const seqs = page.map(({ seq }) => seq);
    expect(await messages.eraseBy(ann, direct, seqs, clock.now())).toBe(200);
    expect(await messages.eraseBy(ann, direct, seqs, clock.now())).toBe(0);
    // Messages of other people are not erased.
    expect(await messages.eraseBy(ann, direct, [1, 2, 3], clock.now())).toBe(0);
    const next = await messages.writtenBy(ann, page.at(-1)?.place ?? undefined, 200);
    expect(next.map(({ erased }) => erased)).toEqual(Array.from({ length: 100 }, () => false));
  });
});

describe('messages with a retention period', () => {
  const days = 30;
  const retention = () => createRetentionStore(db);
  const erased: number[] = [];
  const turn = () =>
    eraseAgedMessages({
      retention: retention(),
      days: () => days,
      clock,
      wake: () => undefined,
      onErased: (count) => erased.push(count),
    }).run();
  const kept = async (id: ConversationId) =>
    (await db('messages').where({ conversation_id: id, deleted_at: null }).orderBy('seq').pluck('seq')) as number[];

  /** Creates a conversation of two with `count` messages, of which the first `old` are too old. */
  async function createAgedConversation(count: number, old: number): Promise<ConversationId> {
    const [id, one, other] = [randomUUID() as ConversationId, person(), person()];
    await db('conversations').insert({ id, type: 'direct', direct_key: id, created_at: ago(90), updated_at: ago(90) });
    for (const userId of [one, other]) {
      await db('members').insert({ conversation_id: id, user_id: userId, joined_at: ago(90), change_seq: 1 });
    }
    await fill(id, one, count);
    await db('messages')
      .where({ conversation_id: id })
      .update({ created_at: ago(1) });
    await db('messages')
      .where({ conversation_id: id })
      .where('seq', '<=', old)
      .update({ created_at: ago(days + 1) });
    return id;
  }

  it('are erased in batches like disappearing ones, and their files are released', async () => {
    const id = await createAgedConversation(450, 430);
    const fileId = randomUUID();
    await db('messages')
      .where({ conversation_id: id, seq: 3 })
      .update({ file_ids: [fileId] });
    await db('messages').where({ conversation_id: id, seq: 4 }).update({ message_type: 'system' });
    erased.length = 0;
    await turn();
    // System messages remain.
    expect(await kept(id)).toEqual([4, ...Array.from({ length: 20 }, (_, at) => 431 + at)]);
    expect(erased).toEqual([199, 200, 30]);
    const row = await db('messages').where({ conversation_id: id, seq: 3 }).first('content', 'file_ids');
    expect(row).toEqual({ content: '', file_ids: null });
    const releasedEvents = (await db('events')
      .where({ subject: 'event.chat.files_released' })
      .pluck('payload')) as object[];
    expect(JSON.stringify(releasedEvents)).toContain(fileId);
    const last = await db('conversations').where({ id }).first('last_change_seq');
    expect(Number(last.last_change_seq)).toBe(450 + 429);
  });

  it('are scanned once, and those that have expired since are erased', async () => {
    const id = await createAgedConversation(10, 5);
    await turn();
    expect((await retention().aged(ago(days), 10_000, undefined)).ids).not.toContain(id);
    expect(await kept(id)).toHaveLength(5);
    await db('messages')
      .where({ conversation_id: id, seq: 6 })
      .update({ created_at: ago(days) });
    await turn();
    expect(await kept(id)).toEqual([7, 8, 9, 10]);
  });
});
