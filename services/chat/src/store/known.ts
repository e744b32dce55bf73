import type { Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { KnownStore } from '../domain/ports.ts';
import { announcementSql, outboxColumns, people } from './frames.ts';
import { ownDirectMembersSql } from './locks.ts';
import { statement } from './statement.ts';

/** Why somebody who is not accepted yet may not write: SQL gives one of these or null. */
export type RequestRule = 'request_limit' | 'messages_not_allowed';

/** Whether a sender's first message comes in at once, and not as a request: SQL. */
export function comesInSql(receiver: string, sender: string): string {
  return `(exists (select from contacts k where k.owner_id = ${receiver} and k.user_id = ${sender})
    and not exists (select from who_may w where w.user_id = ${receiver} and w.messages_from = 'nobody'))`;
}

/**
 * The rule that a draft to somebody meets who has not accepted its sender, or null: SQL. `draft` has `message_type` and
 * `place`, `conversation` is a row of conversations that is locked. Until the receiver writes, which accepts, all that
 * stands in the conversation is the sender's; what the server itself says is not refused.
 */
export function requestRuleSql(draft: string, sender: string, conversation: string): string {
  return `case when ${conversation}.type = 'direct' and ${draft}.message_type <> 'system' then (
      select case
        when coalesce((select w.messages_from from who_may w where w.user_id = o.user_id), 'everyone') <> 'everyone'
          then 'messages_not_allowed'
        when ${conversation}.last_seq + ${draft}.place >= ${limits.messagesPerRequest} then 'request_limit' end
      from members o
      where o.conversation_id = ${conversation}.id and o.user_id <> ${sender} and o.requested_at is not null) end`;
}

/**
 * Accepts those who wait to be for being contacts by now, and tells the devices of who accepts. The rows are a member's
 * own, and locked by their key like all of them. $1 the person, $2 those others (null for all).
 */
const acceptContacts = statement<{ conversation_id: string }>(
  'accept_contacts',
  `with mine as materialized (
    ${ownDirectMembersSql(`m.requested_at is not null
    and ($2::uuid[] is null or o.user_id = any($2::uuid[])) and ${comesInSql('m.user_id', 'o.user_id')}`)}
  ), accepted as (
    update members m set requested_at = null from mine
    where m.user_id = mine.user_id and m.conversation_id = mine.conversation_id and m.requested_at is not null
    returning m.conversation_id, m.user_id
  ), told as (
    insert into outbox ${outboxColumns}
    select ${announcementSql('0', people('jsonb_build_array(a.user_id)'), 'conversation_settings', {
      conversationId: 'a.conversation_id',
      userId: 'a.user_id',
    })} from accepted a
  )
  select conversation_id from accepted`,
);

const addContacts = statement(
  'add_contacts',
  'insert into contacts (owner_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing',
);
const removeContacts = statement(
  'remove_contacts',
  'delete from contacts where owner_id = $1 and user_id = any($2::uuid[])',
);
const saveWhoMay = statement(
  'save_who_may',
  `insert into who_may (user_id, messages_from) values ($1, $2)
  on conflict (user_id) do update set messages_from = excluded.messages_from`,
);
const saveClosed = statement('save_closed', 'insert into closed_accounts (user_id) values ($1) on conflict do nothing');
const forgetClosed = statement('forget_closed', 'delete from closed_accounts where user_id = $1');
const forgetContacts = statement('forget_contacts', 'delete from contacts where owner_id = $1 or user_id = $1');
const forgetWhoMay = statement('forget_who_may', 'delete from who_may where user_id = $1');

export function createKnownStore(db: Knex): KnownStore {
  return {
    async changeContacts(ownerId, { added, removed }) {
      if (removed.length > 0) await removeContacts(db, ownerId, [...removed]);
      if (added.length === 0) return false;
      await addContacts(db, ownerId, [...added]);
      return (await acceptContacts(db, ownerId, [...added])).length > 0;
    },
    async setMessagesFrom(userId, messagesFrom) {
      await saveWhoMay(db, userId, messagesFrom);
      return messagesFrom !== 'nobody' && (await acceptContacts(db, userId, null)).length > 0;
    },
    async setClosed(userId, closed) {
      await (closed ? saveClosed : forgetClosed)(db, userId);
    },
    async forget(userId) {
      await forgetClosed(db, userId);
      await forgetContacts(db, userId);
      await forgetWhoMay(db, userId);
    },
  };
}
