import type { Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { IdentityReplicaStore } from '../domain/ports.ts';
import { buildOutboundFrameSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import { buildLockedOwnDirectMembersSql } from './locks.ts';
import { defineStatement } from './statement.ts';

/** Returns SQL that is true if a sender's first message is accepted at once instead of being a request. */
export function buildAcceptsSenderSql(receiver: string, sender: string): string {
  return `(exists (select from contacts k where k.owner_id = ${receiver} and k.user_id = ${sender})
    and not exists (select from who_may w where w.user_id = ${receiver} and w.messages_from = 'nobody'))`;
}

/**
 * Returns SQL that selects from the other member of a direct conversation if that person has not accepted the sender.
 */
const unacceptedSql = (what: string, sender: string, conversation: string): string =>
  `case when ${conversation}.type = 'direct' then (
      select ${what} from members receiver
      where receiver.conversation_id = ${conversation}.id and receiver.user_id <> ${sender}
      and receiver.requested_at is not null) end`;

const shutOutSql = `when exists (
          select from who_may w where w.user_id = receiver.user_id and w.messages_from <> 'everyone')
        then 'messages_not_allowed'`;

/** Returns SQL that is true for the system message of an answered call, which only the server writes. */
export const buildAnsweredCallSql = (message: string): string =>
  `(${message}.message_type = 'system' and ${message}.content ~ '"kind":"call"' and ${message}.content ~ '"durationSeconds":[1-9]')`;

/**
 * Returns SQL that is true if a receiver, still marked as not having accepted, did something that now counts as
 * acceptance. Release 0.1.0 ignored answered calls and the receiver's own timers and pins.
 */
const acceptedBeforeSql = (conversation: string): string => `exists (
          select from messages x where x.conversation_id = ${conversation}.id
          and (x.sender_id = receiver.user_id or ${buildAnsweredCallSql('x')}))`;

/**
 * Returns SQL for the rule that blocks the sender's next entry to a person who has not accepted the sender, or null.
 * `place` is the number of earlier entries in the same statement, `conversation` a locked row of conversations.
 * Everything that the sender adds to the chat counts: messages, calls, and system messages about the timer or a pin.
 * All entries are from the sender until the receiver accepts, because each entry of the receiver and each call they
 * answer accepts.
 */
export function buildMessageRequestRefusalSql(place: string, sender: string, conversation: string): string {
  return unacceptedSql(
    `case ${shutOutSql}
        when ${conversation}.last_seq + ${place} >= ${limits.messagesPerRequest}
          and not ${acceptedBeforeSql(conversation)} then 'request_limit' end`,
    sender,
    conversation,
  );
}

/**
 * Returns SQL for the rule without the limit: for changing an entry that the receiver has, and for a call that they
 * answered.
 */
export function buildMessageChangeRefusalSql(sender: string, conversation: string): string {
  return unacceptedSql(`case ${shutOutSql} end`, sender, conversation);
}

/**
 * Returns SQL that is true if a request never had any message, not even one cleared since. `member` is the receiver's
 * row.
 */
export const buildEmptyMessageRequestSql = (member: string, conversation: string): string =>
  `(${member}.requested_at is not null and ${conversation}.last_seq = 0)`;

/**
 * Accepts pending requests of people who are now contacts, and notifies the devices of the accepting person. The rows
 * are the member's own, locked by key like all of them. $1 person, $2 other people (null for all).
 */
const acceptContacts = defineStatement<{ conversation_id: string }>(
  'accept_contacts',
  `with mine as materialized (
    ${buildLockedOwnDirectMembersSql(`m.requested_at is not null
    and ($2::uuid[] is null or o.user_id = any($2::uuid[])) and ${buildAcceptsSenderSql('m.user_id', 'o.user_id')}`)}
  ), accepted as (
    update members m set requested_at = null from mine
    where m.user_id = mine.user_id and m.conversation_id = mine.conversation_id and m.requested_at is not null
    returning m.conversation_id, m.user_id
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(a.user_id)'), 'conversation_settings', {
      conversationId: 'a.conversation_id',
      userId: 'a.user_id',
    })} from accepted a
  )
  select conversation_id from accepted`,
);

const addContacts = defineStatement(
  'add_contacts',
  'insert into contacts (owner_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing',
);
const removeContacts = defineStatement(
  'remove_contacts',
  'delete from contacts where owner_id = $1 and user_id = any($2::uuid[])',
);
const saveWhoMay = defineStatement(
  'save_who_may',
  `insert into who_may (user_id, messages_from) values ($1, $2)
  on conflict (user_id) do update set messages_from = excluded.messages_from`,
);
const saveClosed = defineStatement(
  'save_closed',
  'insert into closed_accounts (user_id) values ($1) on conflict do nothing',
);
const forgetClosed = defineStatement('forget_closed', 'delete from closed_accounts where user_id = $1');
const forgetContacts = defineStatement('forget_contacts', 'delete from contacts where owner_id = $1 or user_id = $1');
const forgetWhoMay = defineStatement('forget_who_may', 'delete from who_may where user_id = $1');

export function createIdentityReplicaStore(db: Knex): IdentityReplicaStore {
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
