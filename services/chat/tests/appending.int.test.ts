import { randomUUID } from 'node:crypto';
import { createDb, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createTestEnvironment } from '@nolo/testing';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { checkDraft } from '../src/domain/message.ts';
import { createConversationStore } from '../src/store/conversations.ts';
import { createIdentityReplicaStore } from '../src/store/identityReplica.ts';
import { createMessageStore } from '../src/store/messages.ts';

/** Tests the store alone, with one connection, so that statements keep their first plan. */
let environment: Awaited<ReturnType<typeof createTestEnvironment<'chat'>>>;
let db: Knex;

beforeAll(async () => {
  environment = await createTestEnvironment(['chat']);
  db = createDb({ url: environment.urls.chat, schema: 'chat', poolMax: 1 });
});
afterAll(async () => {
  await db.destroy();
  await environment.drop();
});

const at = new Date('2026-01-01T00:00:00Z');

const draftOf = (senderId: UserId, replyToSeq = 0) => checkDraft(senderId, aSendMessageRequest({ replyToSeq }));

async function pair() {
  const [alice, bob] = [randomUUID() as UserId, randomUUID() as UserId];
  await createIdentityReplicaStore(db).changeContacts(bob, { added: [alice], removed: [] });
  const direct = await createConversationStore(db).getOrCreateDirect(alice, bob, at);
  return { alice, conversationId: direct?.id as ConversationId };
}

it('sending reads equally little in a long and a short conversation, even with an outdated plan', async () => {
  const { alice, conversationId } = await pair();
  for (let count = 0; count < 10; count += 1) {
    await createMessageStore(db).append(conversationId, [draftOf(alice)], at);
  }
  await db.raw(
    `insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
      message_type, created_at)
    select ?::uuid, n, gen_random_uuid(), ?::uuid, gen_random_uuid(), n + 2, 'words', 'none', 'text', ?::timestamptz
    from generate_series(11, 3000) as n`,
    [conversationId, alice, at],
  );
  await db.raw('update conversations set last_seq = 3000, last_change_seq = 3002 where id = ?', [conversationId]);
  const rowsRead = await db.transaction(async (trx) => {
    const [outcome] = await createMessageStore(trx).append(conversationId, [draftOf(alice, 1_500)], at);
    expect(outcome).toMatchObject({ kind: 'stored', message: { seq: 3001, replyTo: { seq: 1_500 } } });
    const { rows } = (await trx.raw(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'messages'`,
    )) as { rows: [{ read: number }] };
    return rows[0].read;
  });
  expect(rowsRead).toBeLessThan(10);
});

it('one outbox row announces all messages stored together', async () => {
  const { alice, conversationId } = await pair();
  await db('outbox').delete();
  await createMessageStore(db).append(conversationId, [draftOf(alice), draftOf(alice), draftOf(alice)], at);
  const { rows } = (await db.raw(`select payload -> 'fact' as fact from outbox`)) as { rows: unknown[] };
  expect(rows).toEqual([{ fact: { type: 'new_message', of: { conversationId, seq: 1, changeSeq: 3, count: 3 } } }]);
});
