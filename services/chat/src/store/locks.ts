import type { Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import { defineStatement } from './statement.ts';

/**
 * Order of all locks in this service: conversations by ID, then members by ID, then messages, then rows that belong to
 * messages. Statements in this folder lock rows only with the SQL defined here (a test enforces this), so transactions
 * cannot deadlock.
 *
 * A change of a conversation, its messages or its members first locks the conversation's row, which serializes it with
 * all others. A member's private change (an unshared cursor, the archive) locks the member's row and nothing after it.
 *
 * A statement sees the data from before it waited. A statement that locks therefore also locks the rows it depends on,
 * because PostgreSQL reads locked rows again. Conditions on rows that cannot be locked (whether others exist) are read
 * in a separate statement, after lockConversation.
 */

/** Returns SQL for `locked`, the conversations that `ids` names: the first part of any statement that changes one. */
export function buildLockedConversationsSql(ids: string, columns = 'c.id'): string {
  return `locked as materialized (
    select ${columns} from conversations c where c.id in (${ids}) order by c.id for no key update
  )`;
}

/**
 * Returns SQL for members under the alias `m` that meet a condition, locked after their conversations: `source`
 * provides those as `locked` and may join more.
 */
export function buildLockedMembersSql(columns: string, source: string, where: string): string {
  return `select ${columns} from ${source} join members m on m.conversation_id = locked.id
    where ${where} order by m.conversation_id, m.user_id for no key update of m`;
}

/** SQL for the member's own row, for private changes. $1 person, $2 conversation. */
export const lockedOwnMemberSql = `select m.* from members m
    where m.user_id = $1 and m.conversation_id = $2 and m.left_at is null for no key update`;

/** Returns SQL for one person's own rows that meet a condition, in direct conversations with `o`. $1 person. */
export function buildLockedOwnDirectMembersSql(where: string): string {
  return `select m.conversation_id, m.user_id from members m
    join members o on o.conversation_id = m.conversation_id and o.user_id <> m.user_id
    where m.user_id = $1 and m.left_at is null and ${where} order by m.conversation_id for no key update of m`;
}

/** Returns SQL for messages under the alias `m` that meet a condition, locked after the conversations in `locked`. */
export function buildLockedMessagesSql(columns: string, where: string, more = ''): string {
  return `select ${columns} from locked join messages m on m.conversation_id = locked.id
    where ${where} ${more} for no key update of m`;
}

/** Returns SQL for stars that meet a condition, in key order. */
export function buildLockedStarsSql(where: string): string {
  return `select user_id, message_id from stars where ${where} order by user_id, message_id for update`;
}

/** SQL for one held message, after which only its conversation's messages are changed. $1 ID. */
export const lockedUnapprovedMessageSql = `select id, conversation_id, sender_id, file_ids from held_messages
    where id = $1 and rejected_at is null for no key update`;

/**
 * SQL for an account's vault, for changes of its epochs and rows. What belongs to a vault is locked after it, and
 * nothing of a conversation is locked in the same transaction. $1 vault, $2 account.
 */
export const lockedVaultSql = `select identity, last_row, row_count from vaults
    where conversation_id = $1 and user_id = $2 for no key update`;

/** SQL for an epoch that must not go while a request for its secret is stored. $1 conversation, $2 number. */
export const sharedEpochSql =
  'select hash, body, roster from epochs where conversation_id = $1 and n = $2 for key share';

/** SQL for one request for a secret, locked after its epoch. $1 conversation, $2 number, $3 device. */
export const lockedNackSql =
  'select body from epoch_nacks where conversation_id = $1 and n = $2 and device_id = $3 for update';

const lockRow = defineStatement<{ id: ConversationId }>(
  'lock_conversation',
  'select id from conversations where id = $1 for no key update',
);

/**
 * Locks a conversation until the transaction ends, so that later reads of it, its members and its messages stay valid.
 * Returns false if it does not exist.
 */
export async function lockConversation(trx: Knex, id: ConversationId): Promise<boolean> {
  return (await lockRow(trx, id)).length > 0;
}
