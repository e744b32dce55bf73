import type { Knex } from '@nolo/kit/db';
import type { FileId } from '@nolo/kit/ids';
import type { FileStore } from '../domain/ports.ts';
import { notHiddenSql } from './rows.ts';
import { statement } from './statement.ts';

/**
 * Whether a message of the conversations of $1 names the file, seen by who may see that message. What strangers send is not
 * loaded before they are accepted. $3 is the time.
 */
const inMessage = `exists (
    select 1 from messages m
    join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
    where m.file_ids @> array[f.id] and m.deleted_at is null and m.seq > me.joined_seq and ${notHiddenSql('m', '$1')}
    and (me.requested_at is null or m.sender_id = $1)
    and (m.expires_at is null or m.expires_at > $3::timestamptz))`;

/** Whoever decides about what waits for approval has to look at it. */
const inHeld = `exists (
    select 1 from held_messages h
    join members me on me.conversation_id = h.conversation_id and me.user_id = $1 and me.left_at is null
    where h.file_ids @> array[f.id] and h.rejected_at is null and me.role <> 'member')`;

/** $1 reader, $2 files, $3 the time. */
const readable = statement<{ id: FileId }>(
  'files_readable',
  `select f.id from unnest($2::uuid[]) as f(id) where ${inMessage} or ${inHeld}`,
);

/** Erased messages name none. $1 files. */
const named = statement<{ id: FileId }>(
  'files_named',
  `select f.id from unnest($1::uuid[]) as f(id)
  where exists (select 1 from messages m where m.file_ids @> array[f.id])
  or exists (select 1 from held_messages h where h.file_ids @> array[f.id])`,
);

export function createFileStore(db: Knex): FileStore {
  return {
    async readable(actorId, fileIds, at) {
      if (fileIds.length === 0) return [];
      return (await readable(db, actorId, [...fileIds], at)).map(({ id }) => id);
    },

    async named(fileIds) {
      if (fileIds.length === 0) return [];
      return (await named(db, [...fileIds])).map(({ id }) => id);
    },
  };
}
