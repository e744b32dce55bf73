import type { Knex } from '@nolo/kit/db';
import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType } from '@nolo/rules';
import type { Alert, AlertReason, AlertStore } from '../domain/alerts.ts';
import { buildAuthorSql } from './rows.ts';
import { defineStatement } from './statement.ts';

interface AlertRow {
  type: ConversationType;
  user_id: UserId;
  message_id: MessageId;
  seq: number;
  sender_id: UserId;
  reason: AlertReason;
}

const isSilenced = (time: string) => `coalesce(m.muted_until > ${time}, false)`;

/** SQL condition: the message mentions or answers the member. */
const concerns = `(m.user_id = any(s.mentions) or coalesce(s.reply_to_sender_id = m.user_id, false))`;

/**
 * An approved message alerts neither its author nor the admin who approved it.
 *
 * $1 conversation, $2 and $3 first and last message, $4 time, $5 people to consider (or null for all).
 */
const ofMessages = defineStatement<AlertRow>(
  'alerts_of_messages',
  `select distinct on (m.user_id) c.type, m.user_id, s.id as message_id, s.seq, a.id as sender_id,
    case when m.user_id = any(s.mentions) then 'mention'
      when s.reply_to_sender_id = m.user_id then 'reply' else 'message' end as reason
  from conversations c join messages s on s.conversation_id = c.id
  cross join lateral (select ${buildAuthorSql('s')} as id) a
  join members m on m.conversation_id = c.id and m.user_id not in (s.sender_id, a.id)
  where c.id = $1 and c.type <> 'meeting' and s.seq between $2 and $3
    and s.deleted_at is null and s.message_type <> 'system'
    and m.left_at is null and m.joined_seq < s.seq and m.read_seq < s.seq and m.requested_at is null
    and (not ${isSilenced('$4::timestamptz')} or (m.muted_except_mentions and ${concerns}))
    and ($5::uuid[] is null or m.user_id = any($5::uuid[]))
  order by m.user_id, ${concerns} desc, s.seq desc`,
);

/** $1 conversation, $2 message, $3 person who reacted, $4 time. A removed reaction yields no alert. */
const ofReaction = defineStatement<AlertRow>(
  'alerts_of_reaction',
  `select c.type, m.user_id, s.id as message_id, s.seq, r.user_id as sender_id, 'reaction' as reason
  from conversations c join messages s on s.conversation_id = c.id
  join (select user_id from reactions where conversation_id = $1 and seq = $2 and user_id = $3
    union select user_id from sealed_annotations
    where conversation_id = $1 and seq = $2 and kind = 'reaction' and user_id = $3) r on true
  join members m on m.conversation_id = c.id and m.user_id = ${buildAuthorSql('s')} and m.user_id <> r.user_id
  where c.id = $1 and c.type <> 'meeting' and s.seq = $2 and s.deleted_at is null and s.message_type <> 'system'
    and m.left_at is null and not ${isSilenced('$4::timestamptz')}`,
);

/** Counts like the list of conversations. $1 people, $2 time. */
const countUnread = defineStatement<{ user_id: UserId; count: number }>(
  'count_unread',
  `select m.user_id, sum(greatest(c.last_seq - m.read_seq, m.marked_unread::int))::int as count
  from members m join conversations c on c.id = m.conversation_id
  where m.user_id = any($1::uuid[]) and m.left_at is null and c.type <> 'meeting' and m.archived_at is null
    and m.requested_at is null
    and (c.last_seq > m.read_seq or m.marked_unread) and not ${isSilenced('$2::timestamptz')}
  group by m.user_id`,
);

const toAlert = ({ type, user_id, message_id, seq, sender_id, reason }: AlertRow): Alert => ({
  conversationType: type,
  userId: user_id,
  messageId: message_id,
  seq,
  senderId: sender_id,
  reason,
});

export function createAlertStore(db: Knex): AlertStore {
  return {
    async ofMessages(conversationId: ConversationId, { firstSeq, lastSeq, userIds }, now) {
      return (await ofMessages(db, conversationId, firstSeq, lastSeq, now, userIds ?? null)).map(toAlert);
    },
    async ofReaction(conversationId: ConversationId, seq, reactedBy, now) {
      return (await ofReaction(db, conversationId, seq, reactedBy, now)).map(toAlert);
    },
    async countUnread(userIds, now) {
      const rows = await countUnread(db, userIds, now);
      return new Map(rows.map(({ user_id, count }) => [user_id, count]));
    },
  };
}
