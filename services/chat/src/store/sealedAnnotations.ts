import type { Knex } from '@nolo/kit/db';
import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { messageReactedSubject } from '../domain/alerts.ts';
import type { SealOutcome } from '../domain/ports.ts';
import type { NewSealedAnnotation } from '../domain/seals.ts';
import { buildEventSql, eventColumns } from './frames.ts';
import { buildLockedConversationsSql, buildLockedMembersSql, buildLockedMessagesSql } from './locks.ts';
import { enqueueMessageUpdatedSql, takeChangeSeqSql } from './messageChanges.ts';
import { buildSealRefusalSql, toSealOutcome, type SealRefusal } from './sealRefusal.ts';
import { defineStatement } from './statement.ts';

/** Sealed reactions and pins: the newest of each person. Their content is not known here. */

/** $1 conversation, $2 epoch or null, $3 time. */
const judge = defineStatement<{ epoch: number | null; refusal: SealRefusal | null }>(
  'judge_annotation',
  `select c.epoch, ${buildSealRefusalSql('i', 'c', '$3::timestamptz')} as refusal
  from conversations c cross join (select $2::int as epoch, 'text' as message_type) i where c.id = $1`,
);

/** Returns why a reaction or pin was not sealed as its conversation requires. */
export async function findSealRefusal(
  db: Knex,
  conversationId: ConversationId,
  epoch: number | null,
  at: Date,
): Promise<SealOutcome | undefined> {
  const [row] = await judge(db, conversationId, epoch, at);
  return row?.refusal ? toSealOutcome(row.refusal, row.epoch) : undefined;
}

/** Reactions of others, sealed or not. */
const othersSql = `(select jsonb_agg(e.one order by e.nth) from jsonb_array_elements(f.reactions) with ordinality as e(one, nth)
      where e.one ->> 'userId' <> $3::uuid::text)`;

/**
 * Stores a sealed reaction. Only the first one of a person is an event for alerts, because a later one may take it
 * away. Who wrote a message that an admin approved is looked up with the alert.
 *
 * $1 message, $2 time, $3 actor, $4 device, $5 client id, $6 epoch, $7 sealed content, $8 maximum number of reactions.
 */
const react = defineStatement<{ id: MessageId }>(
  'react_sealed',
  `with ${buildLockedConversationsSql('select conversation_id from messages where id = $1', 'c.id, c.epoch, c.removal_pending, c.replaced_at')}, me as materialized (
    ${buildLockedMembersSql('m.user_id, m.joined_seq', 'locked', 'm.user_id = $3::uuid and m.left_at is null')}
  ), found as materialized (
    ${buildLockedMessagesSql(
      'm.*',
      `m.id = $1 and m.seq > (select joined_seq from me) and m.deleted_at is null and m.message_type <> 'system'`,
    )}
  ), target as materialized (
    select f.conversation_id, f.seq, coalesce(${othersSql}, '[]'::jsonb) as others,
      exists (select from sealed_annotations a where a.conversation_id = f.conversation_id and a.seq = f.seq
        and a.kind = 'reaction' and a.user_id = $3::uuid)
      or exists (select from jsonb_array_elements(f.reactions) e where e ->> 'userId' = $3::uuid::text) as reacted
    from found f cross join locked c cross join (select $6::int as epoch, 'text' as message_type) i
    where ${buildSealRefusalSql('i', 'c', '$2::timestamptz')} is null
    and coalesce(jsonb_array_length(${othersSql}), 0) + (
      select count(*) from sealed_annotations a where a.conversation_id = f.conversation_id and a.seq = f.seq
      and a.kind = 'reaction' and a.user_id <> $3::uuid) < $8
  ), ${takeChangeSeqSql}, changed as (
    update messages m set change_seq = c.change_seq + 1, annotated = true, reactions = t.others
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), kept as (
    insert into sealed_annotations
      (conversation_id, seq, kind, user_id, device_id, client_message_id, epoch, sealed, place, at)
    select s.conversation_id, s.seq, 'reaction', $3::uuid, $4, $5, $6, $7, s.change_seq, $2 from changed s
    on conflict (conversation_id, seq, kind, user_id) do update set device_id = excluded.device_id,
      client_message_id = excluded.client_message_id, epoch = excluded.epoch, sealed = excluded.sealed,
      place = excluded.place, at = excluded.at
  ), dropped as (
    delete from reactions r using changed s
    where r.conversation_id = s.conversation_id and r.seq = s.seq and r.user_id = $3::uuid
  ), ${enqueueMessageUpdatedSql}, logged as (
    insert into events ${eventColumns}
    select ${buildEventSql(
      messageReactedSubject,
      's.conversation_id::text',
      `jsonb_build_object(
      'conversationId', s.conversation_id, 'seq', s.seq, 'userId', $3::uuid)`,
    )}
    from changed s cross join target t
    where not t.reacted and (s.sender_id <> $3::uuid or s.draft_id is not null)
  )
  select id from changed`,
);

/** Returns false if nothing changed. */
export async function storeSealedReaction(
  db: Knex,
  userId: UserId,
  id: MessageId,
  { deviceId, clientMessageId, epoch, sealed }: NewSealedAnnotation,
  at: Date,
): Promise<boolean> {
  const rows = await react(db, id, at, userId, deviceId, clientMessageId, epoch, sealed, limits.reactionsPerMessage);
  return rows.length > 0;
}

/** Runs with the conversation locked. $1 message, $2 time, $3 actor, $4 device, $5 client id, $6 epoch, $7 content. */
const addPin = defineStatement(
  'pin_sealed',
  `with changed as (
    update messages set annotated = true where id = $1 returning conversation_id, seq, change_seq
  )
  insert into sealed_annotations
    (conversation_id, seq, kind, user_id, device_id, client_message_id, epoch, sealed, place, at)
  select c.conversation_id, c.seq, 'pin', $3, $4, $5, $6, $7, c.change_seq, $2 from changed c`,
);

/** Stores the sealed pin of a message that was just pinned. */
export async function storeSealedPin(
  trx: Knex,
  userId: UserId,
  id: MessageId,
  { deviceId, clientMessageId, epoch, sealed }: NewSealedAnnotation,
  at: Date,
): Promise<void> {
  await addPin(trx, id, at, userId, deviceId, clientMessageId, epoch, sealed);
}

/** $1 conversation, $2 seq. */
const removePin = defineStatement(
  'unpin_sealed',
  `delete from sealed_annotations where conversation_id = $1 and seq = $2 and kind = 'pin'`,
);

/** Deletes the sealed pin of a message that was just unpinned. */
export async function dropSealedPin(trx: Knex, conversationId: ConversationId, seq: number): Promise<void> {
  await removePin(trx, conversationId, seq);
}
