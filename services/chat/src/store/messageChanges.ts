import { announcementSql, eventColumns, eventSql, membersOf, outboxColumns } from './frames.ts';
import { lockedStarsSql } from './locks.ts';

/**
 * What follows every change of messages, as parts of one statement: `target` holds the locked rows of locked
 * conversations (see locks.ts), `changed` the new ones, $2 is the time; where messages are erased, `target` has their
 * files.
 */

/** Takes as many numbers as there are rows. */
export const takeChangeSeq = `counted as materialized (
    select conversation_id, count(*) as n from target group by conversation_id
  ), conversation as (
    update conversations c set
      last_change_seq = c.last_change_seq + t.n, updated_at = greatest(c.updated_at, $2::timestamptz)
    from counted t where c.id = t.conversation_id
    returning c.id, c.last_change_seq - t.n as change_seq
  )`;

export const tellChanged = `told as (
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      's.change_seq - c.change_seq',
      membersOf('c.id', { readersOf: 's.seq' }),
      'message_updated',
      {
        conversationId: 'c.id',
        seq: 's.seq',
        changeSeq: 's.change_seq',
      },
    )}
    from changed s join conversation c on c.id = s.conversation_id
  )`;

/** What makes a tombstone of a message: nothing of what was said stays, and nothing of what others made of it. */
export const erased = `content = '', encryption = 'none', file_url = null, file_size = null,
  voice_message_url = null, preview_url = null, file_ids = null, mentions = '{}',
  reply_to_seq = null, reply_to_id = null, reply_to_sender_id = null, forwarded = false,
  has_link = false, reactions = '[]', pinned_at = null, pinned_by = null, deleted_at = $2::timestamptz`;

/**
 * Tells files of those that went with the rows of `source`, which has their `file_ids` as they were. Another message may
 * still name them: files asks before it deletes any.
 */
export function releaseFilesSql(source: string): string {
  return `released as (
    insert into events ${eventColumns}
    select ${eventSql('event.chat.files_released', 'f.ids ->> 0', "jsonb_build_object('fileIds', f.ids)")}
    from (select jsonb_agg(distinct u.id) as ids from ${source} t cross join lateral unnest(t.file_ids) as u(id)) f
    where f.ids is not null
  )`;
}

/** The same for the other tables. */
export const forgetErased = `unreacted as (
    delete from reactions r using changed s where r.conversation_id = s.conversation_id and r.seq = s.seq
  ), unstarred as (
    delete from stars where (user_id, message_id) in (${lockedStarsSql('message_id in (select id from changed)')})
  ), ${releaseFilesSql('target')}`;
