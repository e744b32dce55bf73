import { parseIdOrThrow, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { conversationNotFound, memberNotFound, messageNotFound } from '../errors.ts';

/** Parses a conversation ID. An invalid one is treated as a nonexistent conversation. */
export function parseConversationId(id: string): ConversationId {
  return parseIdOrThrow(id, conversationNotFound);
}

export function parseMessageId(id: string): MessageId {
  return parseIdOrThrow(id, messageNotFound);
}

/** Parses the ID of a person in a group. An invalid one is treated as a nonexistent member. */
export function parseMemberId(id: string): UserId {
  return parseIdOrThrow(id, memberNotFound);
}

/** Parses unique IDs, without the actor. @throws member_not_found. */
export function parseMemberIds(ids: readonly string[], actorId: UserId): UserId[] {
  return [...new Set(ids.map(parseMemberId))].filter((userId) => userId !== actorId);
}
