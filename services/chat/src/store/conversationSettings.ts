import type { Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { ConversationSettingsStore } from '../domain/annotationPorts.ts';
import { buildOutboundFrameSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import { lockedOwnMemberSql } from './locks.ts';
import { mapConversationSettingsRow, type ConversationSettingsRow } from './rows.ts';
import { defineStatement } from './statement.ts';

interface ChangedRow extends ConversationSettingsRow {
  is_full: boolean;
  changed: boolean;
}

/**
 * Changes a member's own settings. This is not a change of the conversation and takes no number: only the member's
 * devices are notified. A conversation is archived or pinned, never both.
 *
 * $1 actor, $2 conversation, $3 time, $4 archived, $5 pinned, $6 true if the mute changes, $7 muted until, $8 marked
 * unread (null for no change), $9 maximum number of pins, $10 true to notify of mentions while muted (null for no
 * change), $11 true to accept the waiting person.
 */
const change = defineStatement<ChangedRow>(
  'change_settings',
  `with mine as materialized (
    ${lockedOwnMemberSql}
  ), goal as materialized (
    select
      case when $4::boolean then coalesce(archived_at, $3::timestamptz)
        when not $4::boolean or $5::boolean then null else archived_at end as archived_at,
      case when $5::boolean then coalesce(pinned_at, $3::timestamptz)
        when not $5::boolean or $4::boolean then null else pinned_at end as pinned_at,
      case when $6::boolean then $7::timestamptz else muted_until end as muted_until,
      coalesce($10::boolean, muted_except_mentions) as muted_except_mentions,
      coalesce($8::boolean, marked_unread) as marked_unread, joined_seq, hidden_at,
      case when $11::boolean then null else requested_at end as requested_at,
      $5::boolean is true and pinned_at is null and (
        select count(*) from members o where o.user_id = $1 and o.left_at is null and o.pinned_at is not null) >= $9
        as is_full
    from mine
  ), changed as (
    update members m set archived_at = goal.archived_at, pinned_at = goal.pinned_at,
      muted_until = goal.muted_until, marked_unread = goal.marked_unread,
      muted_except_mentions = goal.muted_except_mentions, requested_at = goal.requested_at
    from goal where m.user_id = $1 and m.conversation_id = $2 and not goal.is_full
    and (m.archived_at, m.pinned_at, m.muted_until, m.marked_unread, m.muted_except_mentions, m.requested_at)
      is distinct from (goal.archived_at, goal.pinned_at, goal.muted_until, goal.marked_unread,
        goal.muted_except_mentions, goal.requested_at)
    returning m.*
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(s.user_id)'), 'conversation_settings', {
      conversationId: 's.conversation_id',
      userId: 's.user_id',
    })}
    from changed s
  )
  select goal.*, exists (select 1 from changed) as changed from goal`,
);

export function createConversationSettingsStore(db: Knex): ConversationSettingsStore {
  return {
    async change(actorId, conversationId, wanted, at) {
      const { archived, pinned, mutedUntil, mutedExceptMentions, markedUnread, accepted } = wanted;
      const [row] = await change(
        db,
        actorId,
        conversationId,
        at,
        archived ?? null,
        pinned ?? null,
        mutedUntil !== undefined,
        mutedUntil ?? null,
        markedUnread ?? null,
        limits.pinnedConversationsPerUser,
        mutedExceptMentions ?? null,
        accepted ?? false,
      );
      if (!row) return undefined;
      if (row.is_full) return 'full';
      return {
        settings: mapConversationSettingsRow(row),
        changed: row.changed,
      };
    },
  };
}
