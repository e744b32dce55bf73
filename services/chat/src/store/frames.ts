import { buildOrderedIdSql } from '@nolo/kit/outbox';
import { outboundFrameSubject, type FrameAudience, type OutboxFacts } from '../domain/frames.ts';

/**
 * Facts are written to the outbox by the statement that causes them: one round trip, and neither exists without the
 * other. Frames are built from them at delivery (deliveryResolver.ts).
 */

/** Returns SQL for named recipients, given SQL for a jsonb array of their IDs. */
export const buildRecipientsSql = (ids: string): string => `'to', ${ids}`;

/**
 * Returns SQL for the members of a conversation, whom the relay resolves at delivery: a statement that waited for the
 * conversation does not see membership changes meanwhile, and a list of hundreds is not written with every message.
 * Arguments are SQL.
 */
export function buildMemberAudienceSql(
  conversationId: string,
  which: { [key in keyof Omit<FrameAudience, 'conversationId'>]?: string } = {},
): string {
  const narrower = Object.entries(which).map(([key, value]) => `, '${key}', ${value}`);
  return `'audience', jsonb_build_object('conversationId', ${conversationId}${narrower.join('')})`;
}

/**
 * Returns SQL for one outbox row's columns; `place` orders the rows of one statement, `to` is `buildRecipientsSql` or
 * `buildMemberAudienceSql`, `fact` is SQL for the frame's data, keyed as in OutboxFacts.
 */
export function buildOutboundFrameSql<Type extends keyof OutboxFacts>(
  place: string,
  to: string,
  type: Type,
  fact: { readonly [Name in keyof OutboxFacts[Type]]-?: string },
): string {
  const pairs = Object.entries<string>(fact).map(([name, value]) => `'${name}', ${value}`);
  return `${buildOrderedIdSql(place)}, '${outboundFrameSubject}',
    jsonb_build_object(${to}, 'fact', jsonb_build_object('type', '${type}', 'of', jsonb_build_object(${pairs.join(', ')})))`;
}

/** Returns SQL for the columns of a notification to other services that are currently listening. */
export function buildTransientEventSql(place: string, subject: string, data: string): string {
  return `${buildOrderedIdSql(place)}, '${subject}', ${data}`;
}

/**
 * Returns SQL for the columns of a stored event, which other services may read at any time; `key` is its owner, as
 * text.
 */
export function buildEventSql(subject: string, key: string, data: string): string {
  return `${buildOrderedIdSql('0')}, '${subject}', ${key}, ${data}`;
}

export const outboxColumns = '(id, subject, payload)';

export const eventColumns = '(id, subject, key, payload)';

/** Returns SQL that is true for a closed account, which cannot be reached. */
const closedSql = (userId: string): string => `exists (select from closed_accounts k where k.user_id = ${userId})`;

/** Returns SQL that is true if either of two people has blocked the other. */
export function buildBlockedSql(one: string, other: string): string {
  return `exists (
    select 1 from blocks b where b.blocked
    and ((b.blocker_id = ${one} and b.blocked_id = ${other}) or (b.blocker_id = ${other} and b.blocked_id = ${one})))`;
}

/**
 * Returns SQL that is true if a block exists between a sender and the other person of a direct conversation, or the
 * other account is closed.
 */
export function buildDirectSenderBlockedSql(conversationId: string, senderId: string): string {
  return `exists (
    select 1 from conversations c join members o on o.conversation_id = c.id
    where c.id = ${conversationId} and c.type = 'direct' and o.user_id <> ${senderId}
    and (${buildBlockedSql(senderId, 'o.user_id')} or ${closedSql('o.user_id')}))`;
}

/**
 * Returns SQL that is true if a block exists between the two people of a direct conversation, or one account is closed.
 */
export function buildDirectPairBlockedSql(conversationId: string, type: string): string {
  return `case when ${type} = 'direct' then exists (
    select 1 from members o join members t on t.conversation_id = o.conversation_id
    join blocks b on b.blocker_id = o.user_id and b.blocked_id = t.user_id
    where o.conversation_id = ${conversationId} and b.blocked) or exists (
    select 1 from members o join closed_accounts k on k.user_id = o.user_id
    where o.conversation_id = ${conversationId}) else false end`;
}
