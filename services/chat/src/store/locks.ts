import type { Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import { statement } from './statement.ts';

/**
 * The one order in which this service takes locks: conversations by their ids, then members by theirs, then messages,
 * then what hangs on messages. Nothing in this folder locks rows but by what stands here (a test looks for it), so two
 * transactions never wait for each other.
 *
 * Whoever changes a conversation, its messages or who belongs to it holds the conversation's row first and is alone with
 * all of that. What a member alone decides (a cursor that nobody is told of, the archive) takes the member's row and
 * nothing after it.
 *
 * A statement sees what was there when it began, before it waited. So a statement that locks also locks the rows that it
 * decides by, for PostgreSQL reads a locked row anew; what cannot be locked (whether there are others) is read by a
 * statement of its own, after lockConversation.
 */

/** `locked`, the conversations that `ids` names: the first part of a statement that changes any. */
export function lockedConversationsSql(ids: string, columns = 'c.id'): string {
  return `locked as materialized (
    select ${columns} from conversations c where c.id in (${ids}) order by c.id for no key update
  )`;
}

/**
 * Members under the alias `m` where a condition holds, locked after their conversations: `source` has those as `locked`,
 * and may join more to them.
 */
export function lockedMembersSql(columns: string, source: string, where: string): string {
  return `select ${columns} from ${source} join members m on m.conversation_id = locked.id
    where ${where} order by m.conversation_id, m.user_id for no key update of m`;
}

/** The member's own row, for what concerns nobody else. $1 person, $2 conversation. */
export const ownMemberSql = `select m.* from members m
    where m.user_id = $1 and m.conversation_id = $2 and m.left_at is null for no key update`;

/** Rows of one person's own that stand at a condition, of direct conversations with `o`. $1 person. */
export function ownDirectMembersSql(where: string): string {
  return `select m.conversation_id, m.user_id from members m
    join members o on o.conversation_id = m.conversation_id and o.user_id <> m.user_id
    where m.user_id = $1 and m.left_at is null and ${where} order by m.conversation_id for no key update of m`;
}

/** Messages under the alias `m` where a condition holds, locked after the conversations of `locked`. */
export function lockedMessagesSql(columns: string, where: string, more = ''): string {
  return `select ${columns} from locked join messages m on m.conversation_id = locked.id
    where ${where} ${more} for no key update of m`;
}

/** Stars where a condition holds, by their key. */
export function lockedStarsSql(where: string): string {
  return `select user_id, message_id from stars where ${where} order by user_id, message_id for update`;
}

/** One message that waits for approval, after which nothing is locked. $1 id. */
export const lockedHeldSql = `select id, file_ids from held_messages
    where id = $1 and client_message_id is not null for no key update`;

const lockRow = statement<{ id: ConversationId }>(
  'lock_conversation',
  'select id from conversations where id = $1 for no key update',
);

/**
 * Locks a conversation until the transaction ends: what is read afterwards, of it, its members and its messages, holds.
 * False where there is no such conversation.
 */
export async function lockConversation(trx: Knex, id: ConversationId): Promise<boolean> {
  return (await lockRow(trx, id)).length > 0;
}
