import type { Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { KnownStore } from '../domain/ports.ts';
import { announcementSql, outboxColumns, people } from './frames.ts';
import { ownDirectMembersSql } from './locks.ts';
import { statement } from './statement.ts';

/** Whether a sender's first message comes in at once, and not as a request: SQL. */
export function comesInSql(receiver: string, sender: string): string {
  return `(exists (select from contacts k where k.owner_id = ${receiver} and k.user_id = ${sender})
    and not exists (select from who_may w where w.user_id = ${receiver} and w.messages_from = 'nobody'))`;
}

/** Selects from the other member of a direct conversation, if that person has not accepted the sender: SQL. */
const unacceptedSql = (what: string, sender: string, conversation: string): string =>
  `case when ${conversation}.type = 'direct' then (
      select ${what} from members receiver
      where receiver.conversation_id = ${conversation}.id and receiver.user_id <> ${sender}
      and receiver.requested_at is not null) end`;

const shutOutSql = `when exists (
          select from who_may w where w.user_id = receiver.user_id and w.messages_from <> 'everyone')
        then 'messages_not_allowed'`;

/** Whether a message is the note of a call that was answered, which only the server writes: SQL. */
export const answeredCallSql = (message: string): string =>
  `(${message}.message_type = 'system' and ${message}.content ~ '"kind":"call"' and ${message}.content ~ '"durationSeconds":[1-9]')`;

/**
 * Whether a receiver, who counts as one who has not accepted, did what accepts nowadays: replicas of 0.1.0 took no
 * notice of it.
 */
const acceptedBeforeSql = (conversation: string): string => `exists (
          select from messages x where x.conversation_id = ${conversation}.id
          and (x.sender_id = receiver.user_id or ${answeredCallSql('x')}))`;

/**
 * The rule that keeps the next entry of a sender away from somebody who has not accepted the sender, or null: SQL. `place`
 * says how many entries come before it in the same statement, `conversation` is a row of conversations that is locked.
 * Everything counts that the sender makes appear in the chat: messages, calls, and notes about the timer or a pin. All
 * entries are the sender's until the receiver accepts, as each entry of the receiver does, and each call they answer.
 */
export function requestRuleSql(place: string, sender: string, conversation: string): string {
  return unacceptedSql(
    `case ${shutOutSql}
        when ${conversation}.last_seq + ${place} >= ${limits.messagesPerRequest}
          and not ${acceptedBeforeSql(conversation)} then 'request_limit' end`,
    sender,
    conversation,
  );
}

/** The same rule without the limit: for a change of an entry that the receiver has, and for a call that they answered. */
export function changeRuleSql(sender: string, conversation: string): string {
  return unacceptedSql(`case ${shutOutSql} end`, sender, conversation);
}

/** Whether nothing ever came in with a request, not even what was cleared since: SQL. `member` is the receiver's row. */
export const emptyRequestSql = (member: string, conversation: string): string =>
  `(${member}.requested_at is not null and ${conversation}.last_seq = 0)`;

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
