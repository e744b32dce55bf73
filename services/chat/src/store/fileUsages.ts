import type { Knex } from '@nolo/kit/db';
import type { FileId } from '@nolo/kit/ids';
import type { FileUsageStore } from '../domain/ports.ts';
import { buildNotHiddenSql } from './rows.ts';
import { defineStatement } from './statement.ts';

/**
 * SQL condition: a message in the conversations of $1 uses the file and is visible to the reader. Files of strangers
 * are not loaded before acceptance. $3 is the time.
 */
const inMessage = `exists (
    select 1 from messages m
    join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
    where m.file_ids @> array[f.id] and m.deleted_at is null and m.seq > me.joined_seq and ${buildNotHiddenSql('m', '$1')}
    and (me.requested_at is null or m.sender_id = $1)
    and (m.expires_at is null or m.expires_at > $3::timestamptz))`;

/** SQL condition for held messages, which admins have to see. */
const inUnapprovedMessage = `exists (
    select 1 from held_messages h
    join members me on me.conversation_id = h.conversation_id and me.user_id = $1 and me.left_at is null
    where h.file_ids @> array[f.id] and h.rejected_at is null and me.role <> 'member')`;

/** $1 reader, $2 files, $3 time. */
const readable = defineStatement<{ id: FileId }>(
  'files_readable',
  `select f.id from unnest($2::uuid[]) as f(id) where ${inMessage} or ${inUnapprovedMessage}`,
);

/** Finds used files; erased messages use none. $1 files. */
const named = defineStatement<{ id: FileId }>(
  'files_named',
  `select f.id from unnest($1::uuid[]) as f(id)
  where exists (select 1 from messages m where m.file_ids @> array[f.id])
  or exists (select 1 from held_messages h where h.file_ids @> array[f.id])`,
);

export function createFileUsageStore(db: Knex): FileUsageStore {
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
