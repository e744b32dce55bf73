import { idFrom, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { conversationNotFound, memberNotFound, messageNotFound } from '../errors.ts';

/** What cannot be an id names nothing; clients are told the same as for an id that does not exist. */
export function conversationFrom(id: string): ConversationId {
  return idFrom(id, conversationNotFound);
}

export function messageFrom(id: string): MessageId {
  return idFrom(id, messageNotFound);
}

/** Somebody whom a group is asked about; what cannot be an id is nobody. */
export function personFrom(id: string): UserId {
  return idFrom(id, memberNotFound);
}

/** Each once, and never the actor. @throws member_not_found. */
export function peopleFrom(ids: readonly string[], actorId: UserId): UserId[] {
  return [...new Set(ids.map(personFrom))].filter((userId) => userId !== actorId);
}
