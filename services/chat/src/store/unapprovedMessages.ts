import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { noAttachment, type Attachment } from '../domain/attachment.ts';
import type { MessageDraft } from '../domain/message.ts';
import type { ApprovedDraft, StoredUnapprovedMessage, UnapprovedMessageStore } from '../domain/groupPorts.ts';
import { appendMessages } from './appendMessages.ts';
import { buildOutboundFrameSql, buildMemberAudienceSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import { lockConversation, lockedUnapprovedMessageSql } from './locks.ts';
import { buildReleaseFilesSql } from './messageChanges.ts';
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
}

const columns = 'id, conversation_id, draft, held_at, approved_as';

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

function toUnapprovedMessage(row: UnapprovedMessageRow): StoredUnapprovedMessage | ApprovedDraft | 'rejected' {
  if (row.approved_as) return { approvedAs: row.approved_as };
  if (row.draft === null) return 'rejected';
  const { seal, ...draft } = row.draft;
  return {
    id: row.id,
    conversationId: row.conversation_id,
    draft: { ...noAttachment, fileIds: [], ...draft, ...(seal && { seal: fromSealJson(seal) }) },
    submittedAt: row.held_at,
  };
}

const isPending = (
  message: StoredUnapprovedMessage | ApprovedDraft | 'rejected' | undefined,
): message is StoredUnapprovedMessage => typeof message === 'object' && 'draft' in message;

/**
 * $1 ID, $2 conversation, $3 author, $4 client ID, $5 draft, $6 time, $7 limit of the group, $8 limit of the author, $9
 * files.
 */
const hold = defineStatement(
  'hold',
  `insert into held_messages (id, conversation_id, sender_id, client_message_id, draft, held_at, file_ids)
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
  `select ${columns} from held_messages where sender_id = $1 and client_message_id = $2`,
  toUnapprovedMessage,
);

const find = defineStatement(
  'held_find',
  `select ${columns} from held_messages where conversation_id = $1 and id = $2 and rejected_at is null`,
  toUnapprovedMessage,
);

/** $1 conversation, $2 author (or null for all), $3 and $4 position to begin after (or null), $5 limit. */
const list = defineStatement(
  'held_list',
  `select ${columns} from held_messages
  where conversation_id = $1 and rejected_at is null and ($2::uuid is null or sender_id = $2)
  and ($3::timestamptz is null or (held_at, id) > ($3::timestamptz, $4::uuid))
  order by held_at, id limit $5`,
  toUnapprovedMessage,
);

/** Deletes a rejected message except its client ID. $1 ID, $2 time. */
const reject = defineStatement(
  'held_reject',
  `with target as materialized (
    ${lockedUnapprovedMessageSql}
  ), changed as (
    update held_messages h set draft = null, file_ids = null, rejected_at = $2 from target t where h.id = t.id
  ), ${buildReleaseFilesSql('target')}
  select id from target`,
);

/** $1 ID. */
const lockPending = defineStatement<{ id: string }>('held_lock', lockedUnapprovedMessageSql);

/**
 * Leaves the client ID of an approved draft, so that its repeat finds the approval, and its origin, by which others
 * know who may delete the approval. The approving message has its files now. $1 ID, $2 time, $3 approving message,
 * $4 origin.
 */
const approve = defineStatement(
  'held_approve',
  `update held_messages set draft = null, file_ids = null, rejected_at = $2, approved_as = $3, origin = $4
  where id = $1`,
);

/** Deletes the held row of an approved message; the message now references its files. */
const remove = defineStatement(
  'held_remove',
  `with target as (
    delete from held_messages where id = $1 and rejected_at is null returning id, file_ids
  ), ${buildReleaseFilesSql('target')}
  select id from target`,
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
      return isPending(message) ? message : undefined;
    },

    async list(conversationId, senderId, place, limit) {
      const rows = await list(db, conversationId, senderId ?? null, place?.at ?? null, place?.id ?? null, limit + 1);
      return {
        rows: rows.slice(0, limit).filter(isPending),
        hasMore: rows.length > limit,
      };
    },

    async settle(message, rejected, at) {
      if (rejected) await reject(db, message.id, at);
      await remove(db, message.id);
      await enqueuePendingApprovalCounts(db, message.conversationId, message.draft.senderId);
    },

    approveSealed: (message, approval, at) =>
      inTransaction(db, async (trx) => {
        await lockConversation(trx, message.conversationId);
        if ((await lockPending(trx, message.id)).length === 0) return undefined;
        const [outcome] = await appendMessages(trx, message.conversationId, [approval], at);
        if (outcome?.kind !== 'stored') return outcome;
        await approve(trx, message.id, at, outcome.message.id, message.draft.seal?.origin ?? null);
        await enqueuePendingApprovalCounts(trx, message.conversationId, message.draft.senderId);
        return outcome;
      }),

    async dropOf(senderId, conversationId) {
      await dropOf(db, senderId, conversationId);
    },
  };
}
