import { buildOutboundFrameSql, eventColumns, buildEventSql, buildMemberAudienceSql, outboxColumns } from './frames.ts';
import { buildLockedStarsSql } from './locks.ts';

/**
 * SQL parts of statements that change messages: `target` holds the locked rows of locked conversations (see locks.ts),
 * `changed` the new rows, $2 is the time. If messages are erased, `target` has their files.
 */

/** Assigns one change number per row. */
export const takeChangeSeqSql = `counted as materialized (
    select conversation_id, count(*) as n from target group by conversation_id
  ), conversation as (
    update conversations c set
      last_change_seq = c.last_change_seq + t.n, updated_at = greatest(c.updated_at, $2::timestamptz)
    from counted t where c.id = t.conversation_id
    returning c.id, c.last_change_seq - t.n as change_seq
  )`;

export const enqueueMessageUpdatedSql = `notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql(
      's.change_seq - c.change_seq',
      buildMemberAudienceSql('c.id', { readersOf: 's.seq' }),
      'message_updated',
      {
        conversationId: 'c.id',
        seq: 's.seq',
        changeSeq: 's.change_seq',
      },
    )}
    from changed s join conversation c on c.id = s.conversation_id
  )`;

/**
 * SQL that turns a message `m` into a tombstone, without its content and without reactions or pins. What is left of a
 * seal shows clients which message it was.
 */
export const erasedColumnsSql = `content = '',
  encryption = case when m.version is null then 'none' else 'epochs' end, sealed = null, own = null,
  target_row = null, annotated = false, file_url = null, file_size = null,
  voice_message_url = null, preview_url = null, file_ids = null, mentions = '{}',
  reply_to_seq = null, reply_to_id = null, reply_to_sender_id = null, forwarded = false,
  has_link = false, reactions = '[]', pinned_at = null, pinned_by = null, deleted_at = $2::timestamptz`;

/**
 * Returns SQL that notifies files of those released with the rows of `source`, which has their earlier `file_ids`.
 * Other messages may still use them: files checks before it deletes any.
 */
export function buildReleaseFilesSql(source: string): string {
  return `released as (
    insert into events ${eventColumns}
    select ${buildEventSql('event.chat.files_released', 'f.ids ->> 0', "jsonb_build_object('fileIds', f.ids)")}
    from (select jsonb_agg(distinct u.id) as ids from ${source} t cross join lateral unnest(t.file_ids) as u(id)) f
    where f.ids is not null
  )`;
}

/** SQL that cleans up the other tables. */
export const erasedMessageCleanupSql = `unreacted as (
    delete from reactions r using changed s where r.conversation_id = s.conversation_id and r.seq = s.seq
  ), unannotated as (
    delete from sealed_annotations a using changed s where a.conversation_id = s.conversation_id and a.seq = s.seq
  ), unstarred as (
    delete from stars where (user_id, message_id) in (${buildLockedStarsSql('message_id in (select id from changed)')})
  ), ${buildReleaseFilesSql('target')}`;
