import type { Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { noAttachment, type Attachment } from '../domain/attachment.ts';
import type { MessageDraft } from '../domain/message.ts';
import type { StoredUnapprovedMessage, UnapprovedMessageStore } from '../domain/groupPorts.ts';
import { buildOutboundFrameSql, buildMemberAudienceSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import { lockedUnapprovedMessageSql } from './locks.ts';
import { buildReleaseFilesSql } from './messageChanges.ts';
import { defineStatement } from './statement.ts';

interface UnapprovedMessageRow {
  id: string;
  conversation_id: ConversationId;
  draft: (Omit<MessageDraft, 'fileIds' | keyof Attachment> & Partial<MessageDraft>) | null;
  held_at: Date;
}

const columns = 'id, conversation_id, draft, held_at';

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

const toUnapprovedMessage = (row: UnapprovedMessageRow): StoredUnapprovedMessage | 'rejected' =>
  row.draft === null
    ? 'rejected'
    : {
        id: row.id,
        conversationId: row.conversation_id,
        // Drafts stored before files existed have none.
        draft: { ...noAttachment, fileIds: [], ...row.draft },
        submittedAt: row.held_at,
      };

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
    delete from held_messages where sender_id = $1 and conversation_id = $2 returning id, file_ids
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
      const { traceparent: _ended, ...kept } = draft;
      const [row] = await hold(
        db,
        newId(),
        conversationId,
        draft.senderId,
        draft.clientMessageId,
        JSON.stringify(kept),
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
      return message === undefined || message === 'rejected' ? { kind: 'full' } : { kind: 'held', message };
    },

    findSent: findByClientId,

    async find(conversationId, id) {
      const [message] = await find(db, conversationId, id);
      return message === 'rejected' ? undefined : message;
    },

    async list(conversationId, senderId, place, limit) {
      const rows = await list(db, conversationId, senderId ?? null, place?.at ?? null, place?.id ?? null, limit + 1);
      return {
        rows: rows.slice(0, limit).filter((message) => message !== 'rejected'),
        hasMore: rows.length > limit,
      };
    },

    async settle(message, rejected, at) {
      if (rejected) await reject(db, message.id, at);
      await remove(db, message.id);
      await enqueuePendingApprovalCounts(db, message.conversationId, message.draft.senderId);
    },

    async dropOf(senderId, conversationId) {
      await dropOf(db, senderId, conversationId);
    },
  };
}
