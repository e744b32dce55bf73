import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { buildDirectConversationKey, type Member } from '../domain/conversation.ts';
import type { StoredChange, ConversationStore, MessageRequestRefusal, ReplacementRefusal } from '../domain/ports.ts';
import {
  buildAcceptsSenderSql,
  buildEmptyMessageRequestSql,
  buildMessageRequestRefusalSql,
} from './identityReplica.ts';
import { enqueueConversationUpdated } from './groupStatements.ts';
import { lockConversation, lockedOwnMemberSql } from './locks.ts';
import { buildOutboundFrameSql, buildBlockedSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import {
  conversationColumns,
  memberColumns,
  messageColumns,
  conversationMetaColumns,
  buildNotHiddenSql,
  conversationSettingsColumns,
  viewerMessageColumns,
  mapConversationRow,
  mapMemberRow,
  toStoredMessage,
  mapConversationMetaRow,
  mapConversationSettingsRow,
  type ConversationRow,
  type MemberRow,
  type MessageRow,
  type ConversationMetaRow,
  type ConversationSettingsRow,
} from './rows.ts';
import { defineStatement } from './statement.ts';

const findDirect = defineStatement<{ id: ConversationId; is_empty_request: boolean }>(
  'find_direct',
  `select c.id, ${buildEmptyMessageRequestSql('me', 'c')} as is_empty_request from conversations c
  join members me on me.conversation_id = c.id and me.user_id = $2 and me.left_at is null
  where c.direct_key = $1`,
);

/**
 * Creates the conversation unless a concurrent request did, as the unique key decides. Both memberships are separate
 * changes, so that a client without data catches up from 0. The recipient of a request is notified with the first
 * message.
 *
 * $1 new ID, $2 key, $3 time, $4 actor, $5 other person, $6 conversation that it replaces (or null): both have accepted
 * that, and its timer and mutes go on.
 */
const createDirect = defineStatement<{ id: ConversationId }>(
  'create_direct',
  `with created as (
    insert into conversations (id, type, direct_key, last_change_seq, member_count, created_at, updated_at,
      disappearing_seconds)
    select $1, 'direct', $2, 2, 2, $3, $3, (select r.disappearing_seconds from conversations r where r.id = $6::uuid)
    where not ${buildBlockedSql('$4::uuid', '$5::uuid')}
    on conflict (direct_key) do nothing
    returning id
  ), joined as (
    insert into members (conversation_id, user_id, joined_at, change_seq, requested_at, muted_until)
    select created.id, pair.user_id, $3, pair.nth,
      -- The person who opens the conversation does not have to accept the other.
      case when pair.user_id = $5 and $6::uuid is null and not ${buildAcceptsSenderSql('$5::uuid', '$4::uuid')}
        then $3::timestamptz end,
      (select r.muted_until from members r where r.conversation_id = $6::uuid and r.user_id = pair.user_id)
    from created cross join unnest(array[$4::uuid, $5::uuid]) with ordinality as pair(user_id, nth)
    returning conversation_id, user_id, requested_at
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_agg(j.user_id)'), 'conversation_created', {
      conversationId: 'j.conversation_id',
    })} from joined j where j.requested_at is null group by j.conversation_id
  )
  select id from created`,
);

interface ReplaceableRow {
  is_sealed: boolean;
  is_request: boolean;
  is_blocked: boolean;
}

/** $1 conversation, $2 key, $3 actor, $4 other person. */
const findReplaceable = defineStatement<ReplaceableRow>(
  'find_replaceable',
  `select c.epoch is not null as is_sealed, ${buildBlockedSql('$3::uuid', '$4::uuid')} as is_blocked, exists (
    select from members m where m.conversation_id = c.id and m.user_id = $4 and m.requested_at is not null) as is_request
  from conversations c where c.id = $1 and c.direct_key = $2`,
);

/** Takes the key from a conversation, so that another one gets it. $1 conversation, $2 time. */
const retire = defineStatement(
  'retire_direct',
  `update conversations set replaced_at = $2, direct_key = direct_key || ':' || id, last_change_seq = last_change_seq + 1,
    meta_change_seq = last_change_seq + 1, updated_at = greatest(updated_at, $2::timestamptz) where id = $1`,
);

/**
 * Accepts an empty request. Opening a chat in which a stranger never wrote needs no acceptance, like opening it first.
 */
const openEmptyRequest = defineStatement<{ id: ConversationId }>(
  'open_empty_request',
  `with mine as materialized (
    ${lockedOwnMemberSql}
  ), opened as (
    update members m set requested_at = null from mine, conversations c
    where m.user_id = mine.user_id and m.conversation_id = mine.conversation_id and c.id = mine.conversation_id
    and ${buildEmptyMessageRequestSql('mine', 'c')}
    returning m.conversation_id, m.user_id
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(o.user_id)'), 'conversation_created', {
      conversationId: 'o.conversation_id',
    })} from opened o
  )
  select conversation_id as id from opened`,
);

/** $1 key of a direct conversation, $2 one of the two people. */
const findStanding = defineStatement<{ accepted: boolean; refusal: MessageRequestRefusal | null }>(
  'find_standing',
  `select me.requested_at is null as accepted, ${buildMessageRequestRefusalSql('0', 'other.user_id', 'c')} as refusal
  from conversations c
  join members me on me.conversation_id = c.id and me.user_id = $2 and me.left_at is null
  join members other on other.conversation_id = c.id and other.user_id <> $2
  where c.direct_key = $1`,
);

type ViewRow = ConversationRow & (MessageRow | Record<keyof MessageRow, null>);

/** SQL for the newest message that the viewer has not hidden. */
const lastMessage = `left join lateral (
    select * from messages x where x.conversation_id = v.c_id and x.seq > v.my_joined_seq
    and ${buildNotHiddenSql('x', '$1::uuid')} order by x.seq desc limit 1
  ) m on true`;

/**
 * SQL condition for listed conversations. A conversation removed from the list returns with the next message. A request
 * appears with its first message, and a cleared one with the next. Hidden messages count; the web app uses the same
 * rule (packages/client/src/chat/hiding.ts).
 */
const inList = `((me.hidden_at is null and me.requested_at is null) or c.last_seq > me.joined_seq)`;

const findView = defineStatement<ViewRow>(
  'find_view',
  `select v.*, ${messageColumns('m')} from (
    select ${conversationColumns('c', 'me')} from members me join conversations c on c.id = me.conversation_id
    where me.user_id = $1 and me.conversation_id = $2 and me.left_at is null
  ) v ${lastMessage}`,
);

/**
 * SQL for the entries of a list at or after a position, with the viewer's row; the migration of listings explains how
 * the two orders differ. The minute compensates for clock differences between replicas. The limits keep the planner,
 * which expects a third of the list, from scanning whole tables for about fifty rows.
 */
const listed = `listings l
  cross join lateral (
    select * from members m where m.conversation_id = l.conversation_id and m.user_id = l.user_id and m.left_at is null
      and m.pinned_at is null limit 1) me
  cross join lateral (select * from conversations where id = l.conversation_id limit 1) c
  where l.user_id = $1 and l.direct = kind.direct and ${inList} and ($2::timestamptz is null or (
    l.listed_at <= $2::timestamptz + interval '1 minute'
    and (coalesce(c.last_message_at, c.created_at), c.id) < ($2::timestamptz, $3::uuid)))`;

/**
 * Reads as many rows as a page holds from the top of the listing. They determine how far down the rows of the page may
 * be, and the rows down to there are sorted exactly. The cost does not depend on the length of the list.
 *
 * $1 viewer, $2 and $3 position to begin after (or null), $4 limit, $5 kinds: direct, not direct or both. Last messages
 * are read for the page only. Meeting chats are accessible at the meeting.
 */
const listViews = defineStatement<ViewRow>(
  'list_views',
  `with bottom as materialized (
    select min(top.listed_at) as listed_at from (
      select one.listed_at from unnest($5::boolean[]) as kind(direct) cross join lateral (
        select l.listed_at from ${listed} order by l.listed_at desc limit $4
      ) one order by one.listed_at desc limit $4
    ) top
  )
  select v.*, ${messageColumns('m')} from (
    select one.* from bottom cross join unnest($5::boolean[]) as kind(direct) cross join lateral (
      select ${conversationColumns('c', 'me')} from ${listed}
      and l.listed_at >= bottom.listed_at - interval '2 minutes'
    ) one order by one.c_activity_at desc, one.c_id desc limit $4
  ) v ${lastMessage}
  order by v.c_activity_at desc, v.c_id desc`,
);

/** $1 viewer, $2 type (or null), $3 limit. */
const listPinnedViews = defineStatement<ViewRow>(
  'list_pinned_views',
  `select v.*, ${messageColumns('m')} from (
    select ${conversationColumns('c', 'me')} from members me join conversations c on c.id = me.conversation_id
    where me.user_id = $1 and me.left_at is null and me.pinned_at is not null
    and c.type <> 'meeting' and ($2::text is null or c.type = $2) and ${inList}
    order by c_activity_at desc, c_id desc limit $3
  ) v ${lastMessage}
  order by v.c_activity_at desc, v.c_id desc`,
);

/**
 * Returns both members of a direct conversation; otherwise the viewer and some others, in key order.
 *
 * $1 conversations, $2 viewer, $3 number of others.
 */
const membersOf = defineStatement<MemberRow>(
  'members_of',
  `select ${memberColumns('m', 'p')} from unnest($1::uuid[]) with ordinality as c(id, nth)
  cross join lateral (
    (select * from members v where v.conversation_id = c.id and v.user_id = $2 and v.left_at is null)
    union all
    (select * from members o where o.conversation_id = c.id and o.user_id <> $2 and o.left_at is null
      order by o.user_id limit $3)
  ) m left join preferences p on p.user_id = m.user_id
  order by c.nth, m.joined_at, m.user_id`,
);

type ChangeRow = { my_change_seq: number; my_shares: boolean } & ConversationSettingsRow &
  (
    | ({ m_user_id: null; meta_change_seq: null } & MessageRow)
    | (MemberRow & { meta_change_seq: null } & Record<keyof MessageRow, null>)
    | (ConversationMetaRow & { m_user_id: null; meta_change_seq: number } & Record<keyof MessageRow, null>)
    | (Record<keyof MessageRow, null> & { m_user_id: null; meta_change_seq: null })
  );

/**
 * Reads one snapshot in one statement: the returned counter and rows are consistent, so a client that adopts the
 * counter has missed nothing.
 *
 * $1 viewer, $2 conversation, $3 since, $4 limit.
 */
const listChanges = defineStatement<ChangeRow>(
  'list_changes',
  `with me as (
    select c.last_change_seq, c.meta_change_seq, ${conversationSettingsColumns('v')}, coalesce(p.share_receipts, true) as shares
    from members v join conversations c on c.id = v.conversation_id left join preferences p on p.user_id = v.user_id
    where v.user_id = $1 and v.conversation_id = $2 and v.left_at is null
  ), pending as (
    (select x.change_seq, x.seq, null::uuid as user_id, null::bigint as meta from messages x cross join me
      where x.conversation_id = $2 and x.change_seq > $3::bigint and x.seq > me.joined_seq
      and ${buildNotHiddenSql('x', '$1')}
      order by x.change_seq limit $4)
    union all
    (select h.change_seq, h.seq, null, null from hidden_messages h cross join me
      where h.user_id = $1 and h.conversation_id = $2 and h.change_seq > $3::bigint and h.seq > me.joined_seq
      order by h.change_seq limit $4)
    union all
    (select r.change_seq, null, r.user_id, null from members r
      where r.conversation_id = $2 and r.change_seq > $3::bigint order by r.change_seq limit $4)
    union all
    (select me.meta_change_seq, null, null, me.meta_change_seq from me where me.meta_change_seq > $3::bigint)
    order by change_seq limit $4
  )
  select me.last_change_seq as my_change_seq, me.shares as my_shares, ${conversationSettingsColumns('me')}, ${viewerMessageColumns('m', '$1')}, ${memberColumns('r', 'p')},
    pending.meta as meta_change_seq, ${conversationMetaColumns('c')}
  from me left join pending on true
  left join messages m on m.conversation_id = $2 and m.seq = pending.seq
  left join members r on r.conversation_id = $2 and r.user_id = pending.user_id
  left join preferences p on p.user_id = r.user_id
  left join conversations c on c.id = $2 and pending.meta is not null
  order by pending.change_seq`,
);

function toChange(row: ChangeRow): StoredChange | undefined {
  if (row.id !== null) return { kind: 'message', message: toStoredMessage(row) };
  if (row.m_user_id !== null) return { kind: 'member', member: mapMemberRow(row) };
  if (row.meta_change_seq !== null) {
    return { kind: 'conversation', changeSeq: row.meta_change_seq, meta: mapConversationMetaRow(row) };
  }
  return undefined;
}

/** Members per row in addition to the viewer, so that listing large groups costs no more than small ones. */
const listedOthers = 4;

export function createConversationStore(db: Knex): ConversationStore {
  const withMembers = async (viewerId: UserId, rows: ViewRow[], others = listedOthers) => {
    if (rows.length === 0) return [];
    const members = new Map<ConversationId, Member[]>(rows.map((row) => [row.c_id, []]));
    // Members are read after the conversations: a client that sees a cursor newer than the counter reads it again, but
    // in the opposite order it would miss it.
    for (const row of await membersOf(db, [...members.keys()], viewerId, others)) {
      members.get(row.m_conversation_id)?.push(mapMemberRow(row));
    }
    return rows.map((row) => mapConversationRow(row, members.get(row.c_id) ?? []));
  };

  return {
    async standing(userId, otherId) {
      const [row] = await findStanding(db, buildDirectConversationKey(userId, otherId), userId);
      return { accepted: row?.accepted ?? false, refusal: row?.refusal ?? undefined };
    },

    async getOrCreateDirect(actorId, otherId, at) {
      const key = buildDirectConversationKey(actorId, otherId);
      const findExisting = async () => {
        const [existing] = await findDirect(db, key, actorId);
        if (!existing) return undefined;
        const opened = existing.is_empty_request && (await openEmptyRequest(db, actorId, existing.id)).length > 0;
        return { id: existing.id, created: opened };
      };
      const existing = await findExisting();
      if (existing) return existing;
      const [created] = await createDirect(db, newId(), key, at, actorId, otherId, null);
      if (created) return { id: created.id, created: true };
      // The conversation was created concurrently, or the two people are blocked.
      return findExisting();
    },

    async replaceDirect(actorId, otherId, replaces, at) {
      const key = buildDirectConversationKey(actorId, otherId);
      return inTransaction(db, async (trx): Promise<'done' | ReplacementRefusal> => {
        await lockConversation(trx, replaces);
        const [known] = await findReplaceable(trx, replaces, key, actorId, otherId);
        if (!known || known.is_blocked) return 'done';
        if (!known.is_sealed) return 'not_sealed';
        if (known.is_request) return 'request';
        await retire(trx, replaces, at);
        await createDirect(trx, newId(), key, at, actorId, otherId, replaces);
        await enqueueConversationUpdated(trx, replaces);
        return 'done';
      });
    },

    async find(actorId, id, maxMembers = 0) {
      const rows = await findView(db, actorId, id);
      const isSmall = rows.every((row) => row.c_member_count <= maxMembers);
      const [view] = await withMembers(actorId, rows, isSmall ? maxMembers - 1 : listedOthers);
      return view;
    },

    async list(actorId, place, limit, type) {
      const kinds = type === undefined ? [true, false] : [type === 'direct'];
      const rows = await listViews(db, actorId, place?.activityAt ?? null, place?.id ?? null, limit, kinds);
      return withMembers(actorId, rows);
    },

    async listPinned(actorId, limit, type) {
      return withMembers(actorId, await listPinnedViews(db, actorId, type ?? null, limit));
    },

    async changes(actorId, id, since, limit) {
      const rows = await listChanges(db, actorId, id, since, limit + 1);
      const [first] = rows;
      if (!first) return undefined;
      const changes = rows.map(toChange).filter((change) => change !== undefined);
      return {
        changes: changes.slice(0, limit),
        hasMore: changes.length > limit,
        lastChangeSeq: first.my_change_seq,
        viewerShares: first.my_shares,
        settings: mapConversationSettingsRow(first),
      };
    },
  };
}
