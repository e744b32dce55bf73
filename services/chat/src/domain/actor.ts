import { parseId, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { conversationNotFound, failChat, memberNotFound, messageNotFound } from '../errors.ts';

/** The gateway established who acts, so anything but an id is a mistake of ours, not of the person. */
export function actorFrom(id: string): UserId {
  const actorId = parseId<UserId>(id);
  if (!actorId) throw failChat('invalid', 'actor_invalid', 'The account id is not valid.');
  return actorId;
}

/** What cannot be an id names nothing; clients are told the same as for an id that does not exist. */
export function conversationFrom(id: string): ConversationId {
  const conversationId = parseId<ConversationId>(id);
  if (!conversationId) throw conversationNotFound();
  return conversationId;
}

export function messageFrom(id: string): MessageId {
  const messageId = parseId<MessageId>(id);
  if (!messageId) throw messageNotFound();
  return messageId;
}

/** Somebody whom a group is asked about; what cannot be an id is nobody. */
export function personFrom(id: string): UserId {
  const userId = parseId<UserId>(id);
  if (!userId) throw memberNotFound();
  return userId;
}

/** Each once, and never the actor. @throws member_not_found. */
export function peopleFrom(ids: readonly string[], actorId: UserId): UserId[] {
  return [...new Set(ids.map(personFrom))].filter((userId) => userId !== actorId);
}
