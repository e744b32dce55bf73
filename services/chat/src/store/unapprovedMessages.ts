import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { noAttachment, type Attachment } from '../domain/attachment.ts';
import type { MessageDraft } from '../domain/message.ts';
import type { SettledDraft, StoredUnapprovedMessage, UnapprovedMessageStore } from '../domain/groupPorts.ts';
import { appendMessages } from './appendMessages.ts';
import { buildOutboundFrameSql, buildMemberAudienceSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import {
  buildLockedConversationsSql,
  buildLockedMembersSql,
  lockConversation,
  lockedUnapprovedMessageSql,
} from './locks.ts';
import { buildReleaseFilesSql } from './messageChanges.ts';
import { buildAuthorSql } from './rows.ts';
import { fromSealJson, toSealJson, type SealJson } from './sealRows.ts';
import { defineStatement } from './statement.ts';

/** Draft as stored. Those stored before files existed have none. */
type DraftJson = Omit<MessageDraft, 'fileIds' | 'seal' | keyof Attachment> &
  Partial<Omit<MessageDraft, 'seal'>> & { readonly seal?: SealJson };

interface UnapprovedMessageRow {
  id: string;
  conversation_id: ConversationId;
  draft: DraftJson | null;
  held_at: Date;
  approved_as: MessageId | null;
  withdrawn: boolean;
  /** Message that it replies to. Only lists have it. */
  reply_seq?: number | null;
  reply_id?: MessageId | null;
  reply_sender_id?: UserId | null;
}

const columns = ['id', 'conversation_id', 'draft', 'held_at', 'approved_as', 'withdrawn']
  .map((name) => `h.${name}`)
  .join(', ');

/**
 * Publishes the author's own count and that of the admins. Runs after the statement that changed something, so that it
 * counts the result. $1 conversation, $2 author.
 */
export const enqueuePendingApprovalCounts = defineStatement(
  'held_tell',
  `with notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql(
      '0',
      buildMemberAudienceSql('$1::uuid', { deciding: 'true' }),
      'held_messages_changed',
      {
        conversationId: '$1::uuid',
        count: '(select count(*) from held_messages where conversation_id = $1 and rejected_at is null)',
      },
    )}
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('1', buildRecipientsSql('jsonb_build_array(m.user_id)'), 'held_messages_changed', {
    conversationId: '$1::uuid',
    count: '(select count(*) from held_messages where conversation_id = $1 and sender_id = $2 and rejected_at is null)',
  })} from members m where m.conversation_id = $1 and m.user_id = $2 and m.left_at is null and m.role = 'member'`,
);

function toUnapprovedMessage(row: UnapprovedMessageRow): StoredUnapprovedMessage | SettledDraft {
  if (row.approved_as) return { approvedAs: row.approved_as };
  if (row.draft === null) return row.withdrawn ? 'withdrawn' : 'rejected';
  const { seal, ...draft } = row.draft;
  const { reply_seq: seq, reply_id: messageId, reply_sender_id: senderId } = row;
  return {
    id: row.id,
    conversationId: row.conversation_id,
    draft: { ...noAttachment, fileIds: [], ...draft, ...(seal && { seal: fromSealJson(seal) }) },
    replyTo: seq && messageId && senderId ? { seq, messageId, senderId } : null,
    submittedAt: row.held_at,
  };
}

const isPending = (message: StoredUnapprovedMessage | SettledDraft | undefined): message is StoredUnapprovedMessage =>
  typeof message === 'object' && 'draft' in message;

/**
 * $1 ID, $2 conversation, $3 author, $4 client ID, $5 draft, $6 time, $7 limit of the group, $8 limit of the author, $9
 * files.
 */
const hold = defineStatement(
  'hold',
  `insert into held_messages as h (id, conversation_id, sender_id, client_message_id, draft, held_at, file_ids)
  select $1, $2, $3, $4, $5::jsonb, $6, $9::uuid[]
  where (select count(*) from held_messages where conversation_id = $2 and rejected_at is null) < $7::int
  and (select count(*) from held_messages
    where conversation_id = $2 and sender_id = $3 and rejected_at is null) < $8::int
  on conflict (sender_id, client_message_id) do nothing
  returning ${columns}`,
  toUnapprovedMessage,
);

const findSent = defineStatement(
  'held_sent',
  `select ${columns} from held_messages h where sender_id = $1 and client_message_id = $2`,
  toUnapprovedMessage,
);

const find = defineStatement(
  'held_find',
  `select ${columns} from held_messages h where conversation_id = $1 and id = $2`,
  toUnapprovedMessage,
);

/** $1 conversation, $2 author (or null for all), $3 and $4 position to begin after (or null), $5 limit. */
const list = defineStatement(
  'held_list',
  `select ${columns}, r.seq as reply_seq, r.id as reply_id, r.sender_id as reply_sender_id
  from held_messages h left join lateral (
    select m.seq, m.id, ${buildAuthorSql('m')} as sender_id from messages m
    where m.conversation_id = h.conversation_id and m.seq = (h.draft ->> 'replyToSeq')::bigint) r on true
  where h.conversation_id = $1 and h.rejected_at is null and ($2::uuid is null or h.sender_id = $2)
  and ($3::timestamptz is null or (h.held_at, h.id) > ($3::timestamptz, $4::uuid))
  order by h.held_at, h.id limit $5`,
  toUnapprovedMessage,
);

/** Deletes a rejected message except its client ID. $1 ID, $2 time. */
const reject = defineStatement<{ id: string }>(
  'held_reject',
  `with target as materialized (
    ${lockedUnapprovedMessageSql}
  ), changed as (
    update held_messages h set draft = null, file_ids = null, rejected_at = $2 from target t where h.id = t.id
  ), ${buildReleaseFilesSql('target')}
  select id from target`,
);

/** Deletes a message of its author's except its client ID. $1 ID, $2 time, $3 conversation, $4 author. */
const withdraw = defineStatement<{ id: string }>(
  'held_withdraw',
  `with target as materialized (
    ${lockedUnapprovedMessageSql}
  ), changed as (
    update held_messages h set draft = null, file_ids = null, rejected_at = $2, withdrawn = true
    from target t where h.id = t.id and t.conversation_id = $3 and t.sender_id = $4
    returning h.id, t.file_ids
  ), ${buildReleaseFilesSql('changed')}
  select id from changed`,
);

/** $1 conversation, $2 ID. */
const findAuthor = defineStatement<{ sender_id: UserId; is_approved: boolean }>(
  'held_author',
  `select sender_id, approved_as is not null as is_approved from held_messages where conversation_id = $1 and id = $2`,
);

/** $1 ID. */
const lockPending = defineStatement<{ id: string }>('held_lock', lockedUnapprovedMessageSql);

/**
 * Leaves the client ID of an approved draft, so that its repeat finds the message, and the origin of a sealed one, by
 * which others know who may delete that message, which has its files now. $1 ID, $2 time, $3 message, $4 origin.
 */
const approve = defineStatement(
  'held_approve',
  `update held_messages set draft = null, file_ids = null, rejected_at = $2, approved_as = $3, origin = $4
  where id = $1`,
);

/**
 * Moves the cursors of those for whom an approved message is nothing new, if they had read everything before it. $1
 * conversation, $2 seq of the message, $3 people.
 */
const markApprovedRead = defineStatement(
  'held_read',
  `with ${buildLockedConversationsSql('$1::uuid', 'c.id, c.last_seq')}, target as materialized (
    ${buildLockedMembersSql(
      'm.user_id, locked.last_seq',
      'locked',
      'm.user_id = any($3::uuid[]) and m.left_at is null and m.read_seq = $2::bigint - 1',
    )}
  ), moved as (
    update members m set read_seq = $2 from target t where m.conversation_id = $1 and m.user_id = t.user_id
    returning m.user_id, t.last_seq
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(m.user_id)'), 'read_cursor', {
    conversationId: '$1::uuid',
    readSeq: '$2::bigint',
    unreadCount: 'm.last_seq - $2',
  })} from moved m`,
);

const dropOf = defineStatement(
  'held_drop',
  `with target as (
    delete from held_messages where sender_id = $1 and conversation_id = $2 and approved_as is null
    returning id, file_ids
  ), ${buildReleaseFilesSql('target')}
  select id from target`,
);

export function createUnapprovedMessageStore(db: Knex): UnapprovedMessageStore {
  const findByClientId = async (senderId: UserId, clientMessageId: string) => {
    const [row] = await findSent(db, senderId, clientMessageId);
    return row;
  };

  return {
    async hold(conversationId, draft, at) {
      // The trace ends with the request that sent the draft.
      const { traceparent: _ended, seal, ...kept } = draft;
      const [row] = await hold(
        db,
        newId(),
        conversationId,
        draft.senderId,
        draft.clientMessageId,
        JSON.stringify(seal ? { ...kept, seal: toSealJson(seal) } : kept),
        at,
        limits.unapprovedPerGroup,
        limits.unapprovedPerMember,
        draft.fileIds.length === 0 ? null : [...draft.fileIds],
      );
      if (row) await enqueuePendingApprovalCounts(db, conversationId, draft.senderId);
      // A concurrent duplicate was held first.
      const sent =
        row === undefined && draft.clientMessageId !== null
          ? await findByClientId(draft.senderId, draft.clientMessageId)
          : undefined;
      const message = row ?? sent;
      return isPending(message) ? { kind: 'held', message } : { kind: 'full' };
    },

    findSent: findByClientId,

    async find(conversationId, id) {
      const [message] = await find(db, conversationId, id);
      return isPending(message) || message === 'withdrawn' ? message : undefined;
    },

    async list(conversationId, senderId, place, limit) {
      const rows = await list(db, conversationId, senderId ?? null, place?.at ?? null, place?.id ?? null, limit + 1);
      return {
        rows: rows.slice(0, limit).filter(isPending),
        hasMore: rows.length > limit,
      };
    },

    reject: ({ id, conversationId, draft }, at) =>
      inTransaction(db, async (trx) => {
        if ((await reject(trx, id, at)).length === 0) return false;
        await enqueuePendingApprovalCounts(trx, conversationId, draft.senderId);
        return true;
      }),

    withdraw: (conversationId, id, authorId, at) =>
      inTransaction(db, async (trx) => {
        if ((await withdraw(trx, id, at, conversationId, authorId)).length > 0) {
          await enqueuePendingApprovalCounts(trx, conversationId, authorId);
          return 'withdrawn';
        }
        const [row] = await findAuthor(trx, conversationId, id);
        if (row?.sender_id !== authorId) return row && 'not_author';
        return row.is_approved ? 'approved' : 'withdrawn';
      }),

    approve: ({ id, conversationId, draft }, approverId, message, at) =>
      inTransaction(db, async (trx) => {
        await lockConversation(trx, conversationId);
        if ((await lockPending(trx, id)).length === 0) return undefined;
        const [outcome] = await appendMessages(trx, conversationId, [message], at);
        // A plain draft may have been sent again, and stored, since it needs no approval anymore.
        if (outcome?.kind === 'repeated' && draft.seal) return { kind: 'reused' };
        if (outcome?.kind !== 'stored' && outcome?.kind !== 'repeated') return outcome;
        const { id: messageId, seq } = outcome.message;
        await approve(trx, id, at, messageId, draft.seal?.origin ?? null);
        await markApprovedRead(trx, conversationId, seq, [draft.senderId, approverId]);
        await enqueuePendingApprovalCounts(trx, conversationId, draft.senderId);
        return outcome;
      }),

    async dropOf(senderId, conversationId) {
      await dropOf(db, senderId, conversationId);
    },
  };
}
