import { orderedIdSql } from '@nolo/kit/outbox';
import { announcementSubject, type Audience, type Facts } from '../domain/frames.ts';

/**
 * What happened is written to the outbox by the statement that made it happen: one trip to the database, and no moment in
 * which one exists without the other. Frames are made of it when it is passed on (told.ts).
 */

/** Named people, by SQL for a jsonb array of their ids. */
export const people = (ids: string): string => `'to', ${ids}`;

/**
 * The members of a conversation, whom the relay looks up when it passes the row on: a statement that waited for the
 * conversation does not see who came or went meanwhile, and a list of hundreds is not written with every message.
 * Values are SQL.
 */
export function membersOf(
  conversationId: string,
  which: { [key in keyof Omit<Audience, 'conversationId'>]?: string } = {},
): string {
  const narrower = Object.entries(which).map(([key, value]) => `, '${key}', ${value}`);
  return `'audience', jsonb_build_object('conversationId', ${conversationId}${narrower.join('')})`;
}

/**
 * One outbox row's columns; `place` orders the rows of one statement, `to` is `people` or `membersOf`, `fact` is SQL for
 * what the frame is made of, by its names in Facts.
 */
export function announcementSql<Type extends keyof Facts>(
  place: string,
  to: string,
  type: Type,
  fact: { readonly [Name in keyof Facts[Type]]-?: string },
): string {
  const pairs = Object.entries<string>(fact).map(([name, value]) => `'${name}', ${value}`);
  return `${orderedIdSql(place)}, '${announcementSubject}',
    jsonb_build_object(${to}, 'fact', jsonb_build_object('type', '${type}', 'of', jsonb_build_object(${pairs.join(', ')})))`;
}

/** The same columns of a word to other services that listen at this moment. */
export function wakeSql(place: string, subject: string, data: string): string {
  return `${orderedIdSql(place)}, '${subject}', ${data}`;
}

/** The columns of an event, which other services are told of whenever they ask; `key` is whose affair it is, as text. */
export function eventSql(subject: string, key: string, data: string): string {
  return `${orderedIdSql('0')}, '${subject}', ${key}, ${data}`;
}

export const outboxColumns = '(id, subject, payload)';

export const eventColumns = '(id, subject, key, payload)';

/** Whether somebody's account is closed: nobody reaches them. */
const closedSql = (userId: string): string => `exists (select from closed_accounts k where k.user_id = ${userId})`;

/** Whether one of two people has blocked the other. */
export function blockedSql(one: string, other: string): string {
  return `exists (
    select 1 from blocks b where b.blocked
    and ((b.blocker_id = ${one} and b.blocked_id = ${other}) or (b.blocker_id = ${other} and b.blocked_id = ${one})))`;
}

/** Whether a sender is blocked from, or has blocked, the other person of a direct conversation, or nobody is there. */
export function directlyBlockedSql(conversationId: string, senderId: string): string {
  return `exists (
    select 1 from conversations c join members o on o.conversation_id = c.id
    where c.id = ${conversationId} and c.type = 'direct' and o.user_id <> ${senderId}
    and (${blockedSql(senderId, 'o.user_id')} or ${closedSql('o.user_id')}))`;
}

/** Whether one of the two people of a conversation has blocked the other, or is not there, if it is a direct one. */
export function pairBlockedSql(conversationId: string, type: string): string {
  return `case when ${type} = 'direct' then exists (
    select 1 from members o join members t on t.conversation_id = o.conversation_id
    join blocks b on b.blocker_id = o.user_id and b.blocked_id = t.user_id
    where o.conversation_id = ${conversationId} and b.blocked) or exists (
    select 1 from members o join closed_accounts k on k.user_id = o.user_id
    where o.conversation_id = ${conversationId}) else false end`;
}
