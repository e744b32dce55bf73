import { inTransaction, type Knex } from '@nolo/kit/db';
import type { MessageId, UserId } from '@nolo/kit/ids';
import { limits, type ConversationType, type MemberRole } from '@nolo/rules';
import { messageReactedSubject } from '../domain/alerts.ts';
import type { MessageAnnotationStore } from '../domain/annotationPorts.ts';
import type { MessageRequestRefusal } from '../domain/ports.ts';
import {
  buildOutboundFrameSql,
  buildDirectSenderBlockedSql,
  eventColumns,
  buildEventSql,
  buildMemberAudienceSql,
  outboxColumns,
  buildRecipientsSql,
} from './frames.ts';
import {
  lockConversation,
  buildLockedConversationsSql,
  buildLockedMembersSql,
  buildLockedMessagesSql,
  buildLockedStarsSql,
} from './locks.ts';
import { takeChangeSeqSql, enqueueMessageUpdatedSql } from './messageChanges.ts';
import { buildMessageRequestRefusalSql } from './identityReplica.ts';
import { dropSealedPin, findSealRefusal, storeSealedPin, storeSealedReaction } from './sealedAnnotations.ts';
import { findSystemMessageRefusal, writeSystemMessage } from './systemMessages.ts';
import {
  buildAuthorSql,
  messageColumns,
  buildNotHiddenSql,
  toStoredMessage,
  toStoredMessageOrNull,
  type OptionalMessageRow,
  type MessageRow,
} from './rows.ts';
import { defineStatement } from './statement.ts';

/** $1 actor, $2 message. */
const findInPlace = defineStatement<
  MessageRow & {
    c_type: ConversationType;
    my_role: MemberRole;
    blocked: boolean;
    refusal: MessageRequestRefusal | null;
    author_id: UserId;
    is_sealed: boolean;
  }
>(
  'find_in_place',
  `select ${messageColumns('m')}, c.type as c_type, me.role as my_role,
    ${buildDirectSenderBlockedSql('m.conversation_id', '$1::uuid')} as blocked,
    ${buildMessageRequestRefusalSql('0', '$1::uuid', 'c')} as refusal, c.epoch is not null as is_sealed,
    ${buildAuthorSql('m')} as author_id
  from messages m join conversations c on c.id = m.conversation_id
  join members me on me.conversation_id = m.conversation_id and me.user_id = $1::uuid and me.left_at is null
  where m.id = $2 and m.seq > me.joined_seq and ${buildNotHiddenSql('m', '$1::uuid')}`,
);

/**
 * SQL that locks the actor's row and then the message, so that a person who is leaving is gone either before or after.
 * $1 message, $3 actor.
 */
const lockTarget = `${buildLockedConversationsSql('select conversation_id from messages where id = $1', 'c.id, c.epoch')}, me as materialized (
    ${buildLockedMembersSql('m.user_id, m.joined_seq, m.role, m.conversation_id', 'locked', 'm.user_id = $3::uuid and m.left_at is null')}
  ), found as materialized (
    ${buildLockedMessagesSql(
      'm.*',
      `m.id = $1 and m.seq > (select joined_seq from me) and m.deleted_at is null and m.message_type <> 'system'`,
    )}
  )`;

const othersOf = (alias: string, userId: string) => `coalesce((
  select jsonb_agg(e.one order by e.nth) from jsonb_array_elements(${alias}.reactions) with ordinality as e(one, nth)
  where e.one ->> 'userId' <> ${userId}::text), '[]'::jsonb)`;

/**
 * Updates reactions in the message's row, so that every reader has them and they change only under its lock.
 *
 * $1 message, $2 time, $3 actor, $4 emoji (or null), $5 maximum number of reactions.
 */
const react = defineStatement(
  'react',
  `with ${lockTarget}, target as materialized (
    select h.conversation_id, h.seq, ${othersOf('h', '$3::uuid')} as others from found h cross join locked c
    where c.epoch is null and (select e ->> 'emoji' from jsonb_array_elements(h.reactions) e where e ->> 'userId' = $3::uuid::text)
      is distinct from $4::text
    and ($4::text is null or jsonb_array_length(${othersOf('h', '$3::uuid')}) < $5)
  ), ${takeChangeSeqSql}, changed as (
    update messages m set change_seq = c.change_seq + 1,
      reactions = t.others || case when $4::text is null then '[]'::jsonb
        else jsonb_build_array(jsonb_build_object('userId', $3::uuid, 'emoji', $4::text)) end
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), kept as (
    insert into reactions (conversation_id, seq, user_id, emoji, reacted_at)
    select s.conversation_id, s.seq, $3::uuid, $4::text, $2::timestamptz from changed s where $4::text is not null
    on conflict (conversation_id, seq, user_id) do update set emoji = excluded.emoji, reacted_at = excluded.reacted_at
  ), dropped as (
    delete from reactions r using changed s
    where r.conversation_id = s.conversation_id and r.seq = s.seq and r.user_id = $3::uuid and $4::text is null
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql(
      '0',
      buildMemberAudienceSql('s.conversation_id', { readersOf: 's.seq' }),
      'message_reaction',
      {
        conversationId: 's.conversation_id',
        seq: 's.seq',
        changeSeq: 's.change_seq',
        userId: '$3::uuid',
      },
    )}
    from changed s
  ), logged as (
    insert into events ${eventColumns}
    select ${buildEventSql(
      messageReactedSubject,
      's.conversation_id::text',
      `jsonb_build_object(
      'conversationId', s.conversation_id, 'seq', s.seq, 'userId', $3::uuid)`,
    )}
    from changed s where $4::text is not null and s.sender_id <> $3::uuid
  )
  select ${messageColumns('s')} from changed s`,
  toStoredMessage,
);

/** $1 person, $2 time, $3 conversation, $4 limit. */
const dropReactions = defineStatement<{ count: number }>(
  'drop_reactions',
  `with ${buildLockedConversationsSql('$3')}, target as materialized (
    select m.conversation_id, m.seq, ${othersOf('m', '$1::uuid')} as others, row_number() over (order by m.seq) as nth from (
      ${buildLockedMessagesSql(
        'm.conversation_id, m.seq, m.reactions',
        `m.seq in (select r.seq from reactions r where r.user_id = $1::uuid and r.conversation_id = $3
          union all select a.seq from sealed_annotations a
          where a.user_id = $1::uuid and a.conversation_id = $3 and a.kind = 'reaction')`,
        'order by m.seq limit $4',
      )}) m
  ), ${takeChangeSeqSql}, changed as (
    update messages m set reactions = t.others, change_seq = c.change_seq + t.nth
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), dropped as (
    delete from reactions r using changed s
    where r.conversation_id = s.conversation_id and r.seq = s.seq and r.user_id = $1::uuid
  ), dropped_sealed as (
    delete from sealed_annotations a using changed s
    where a.conversation_id = s.conversation_id and a.seq = s.seq and a.kind = 'reaction' and a.user_id = $1::uuid
  ), ${enqueueMessageUpdatedSql}
  select count(*)::int as count from changed`,
);

/**
 * $1 message, $2 time, $3 actor, $4 true to pin, $5 maximum number of pins. `full` is returned alone, without a
 * message.
 */
const pin = defineStatement<OptionalMessageRow & { is_full: boolean }>(
  'pin',
  `with ${lockTarget}, pins as materialized (
    select count(*) as n from messages p cross join me
    where p.conversation_id = me.conversation_id and p.pinned_at is not null
  ), target as materialized (
    select h.conversation_id, h.seq from found h cross join pins
    where (h.pinned_at is not null) <> $4::boolean and (not $4::boolean or pins.n < $5)
  ), ${takeChangeSeqSql}, changed as (
    update messages m set change_seq = c.change_seq + 1,
      pinned_at = case when $4::boolean then $2::timestamptz end, pinned_by = case when $4::boolean then $3::uuid end
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}
  select ${messageColumns('s')}, $4::boolean and pins.n >= $5 and h.pinned_at is null as is_full
  from found h cross join pins left join changed s on true`,
);

const announceStar = (starredAt: string) =>
  buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array($1::uuid)'), 'message_starred', {
    conversationId: 't.conversation_id',
    messageId: 't.message_id',
    starredAt,
  });

/** $1 actor, $2 message, $3 conversation, $4 seq, $5 time, $6 time in the frame, $7 maximum number of stars. */
const star = defineStatement<{ starred: boolean; is_full: boolean }>(
  'star',
  `with counted as materialized (
    select count(*) >= $7 as is_full from stars where user_id = $1
  ), t as (
    insert into stars (user_id, message_id, conversation_id, seq, starred_at)
    select $1, m.id, $3, $4, $5 from messages m cross join counted
    where m.id = $2 and m.deleted_at is null and not counted.is_full
    on conflict (user_id, message_id) do nothing returning message_id, conversation_id
  ), notified as (
    insert into outbox ${outboxColumns} select ${announceStar('$6::text')} from t
  )
  select exists (select 1 from t) as starred,
    is_full and not exists (select 1 from stars where user_id = $1 and message_id = $2) as is_full from counted`,
);

/** $1 actor, $2 message. */
const unstar = defineStatement<{ message_id: MessageId }>(
  'unstar',
  `with t as (
    delete from stars where user_id = $1 and message_id = $2 returning message_id, conversation_id
  ), notified as (
    insert into outbox ${outboxColumns} select ${announceStar('null')} from t
  )
  select message_id from t`,
);

/** $1 actor, $2 and $3 position to begin after (or null), $4 limit. */
const listStarred = defineStatement<MessageRow & { starred_at: Date }>(
  'list_starred',
  `select ${messageColumns('m')}, t.starred_at from stars t
  join members me on me.conversation_id = t.conversation_id and me.user_id = $1 and me.left_at is null
  join messages m on m.id = t.message_id and m.seq > me.joined_seq and m.deleted_at is null
  where t.user_id = $1 and ($2::timestamptz is null or t.starred_at < $2::timestamptz
    or (t.starred_at = $2::timestamptz and t.message_id > $3::uuid))
  order by t.starred_at desc, t.message_id limit $4`,
);

/** $1 actor, $2 conversation, $3 limit. Returns one row without a message if nothing is pinned. */
const listPinned = defineStatement(
  'list_pinned',
  `select ${messageColumns('m')} from members me left join lateral (
    select * from messages p where p.conversation_id = $2 and p.pinned_at is not null and p.seq > me.joined_seq
    and ${buildNotHiddenSql('p', '$1')}
    order by p.pinned_at desc, p.seq desc limit $3
  ) m on true
  where me.user_id = $1 and me.conversation_id = $2 and me.left_at is null
  order by m.pinned_at desc, m.seq desc`,
  toStoredMessageOrNull,
);

const dropStars = defineStatement(
  'drop_stars',
  `delete from stars where (user_id, message_id) in (${buildLockedStarsSql('user_id = $1')})`,
);

export function createMessageAnnotationStore(db: Knex): MessageAnnotationStore {
  return {
    async find(actorId, id) {
      const [row] = await findInPlace(db, actorId, id);
      if (!row) return undefined;
      const { c_type: conversationType, my_role: role, blocked, refusal, author_id, is_sealed } = row;
      const message = toStoredMessage(row);
      return { message, authorId: author_id, isSealed: is_sealed, conversationType, role, blocked, refusal };
    },

    async react(actorId, id, emoji, at) {
      const [message] = await react(db, id, at, actorId, emoji, limits.reactionsPerMessage);
      return message;
    },

    async reactSealed(actorId, { id, conversationId }, reaction, at) {
      if (await storeSealedReaction(db, actorId, id, reaction, at)) {
        const [row] = await findInPlace(db, actorId, id);
        return row && toStoredMessage(row);
      }
      return findSealRefusal(db, conversationId, reaction.epoch, at);
    },

    async pin(actorId, { id, conversationId, seq }, pinned, at, sealed) {
      return inTransaction(db, async (trx) => {
        await lockConversation(trx, conversationId);
        const refusal = pinned ? await findSystemMessageRefusal(trx, conversationId, actorId) : undefined;
        if (refusal) return refusal;
        const wrong = pinned ? await findSealRefusal(trx, conversationId, sealed?.epoch ?? null, at) : undefined;
        if (wrong) return wrong;
        const [row] = await pin(trx, id, at, actorId, pinned, limits.pinnedPerConversation);
        if (row?.is_full) return 'full';
        const message = row && toStoredMessageOrNull(row);
        if (!message) return undefined;
        if (pinned) {
          const systemMessage = { kind: 'message_pinned', messageId: id, seq } as const;
          if (sealed) await storeSealedPin(trx, actorId, id, sealed, at);
          await writeSystemMessage(trx, { conversationId, actorId, entry: systemMessage, at });
        } else {
          await dropSealedPin(trx, conversationId, seq);
        }
        const [now] = await findInPlace(trx, actorId, id);
        return now ? toStoredMessage(now) : message;
      });
    },

    async star(actorId, message, starred, at) {
      if (!starred) return (await unstar(db, actorId, message.id)).length > 0;
      const { id, conversationId, seq } = message;
      const [row] = await star(db, actorId, id, conversationId, seq, at, at.toISOString(), limits.starsPerUser);
      return row?.is_full ? 'full' : (row?.starred ?? false);
    },

    async starred(actorId, place, limit) {
      const rows = await listStarred(db, actorId, place?.starredAt ?? null, place?.id ?? null, limit);
      return rows.map((row) => ({ message: toStoredMessage(row), starredAt: row.starred_at }));
    },

    async pinned(actorId, conversationId) {
      const rows = await listPinned(db, actorId, conversationId, limits.pinnedPerConversation);
      return rows.length === 0 ? undefined : rows.filter((message) => message !== undefined);
    },

    async dropReactionsOf(userId: UserId, conversationId, limit, at) {
      const [row] = await dropReactions(db, userId, at, conversationId, limit);
      return row?.count ?? 0;
    },

    async dropStarsOf(userId) {
      await dropStars(db, userId);
    },
  };
}
