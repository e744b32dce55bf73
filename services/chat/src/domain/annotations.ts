import { type ConversationType, fullEmoji, graphemesOf, limits, type MemberRole } from '@nolo/rules';
import {
  createChatError,
  messageBlocked,
  messageNotFound,
  messagesNotAllowed,
  notAdmin,
  messageRequestRefused,
} from '../errors.ts';
import type { MessageWithRights } from './annotationPorts.ts';

/** Returns true for an admin or host of a conversation that is not direct. */
export function isAdminOf(type: ConversationType, role: MemberRole): boolean {
  return type !== 'direct' && role !== 'member';
}

/**
 * Returns true if the role permits decisions for everyone. In a direct conversation both people may decide (decision
 * 15).
 */
export function mayModerate(type: ConversationType, role: MemberRole): boolean {
  return type === 'direct' || isAdminOf(type, role);
}

/**
 * Validates a single emoji and normalizes it. The set of emoji changes every year, so this checks only its structure.
 *
 * @throws reaction_invalid.
 */
export function checkEmoji(emoji: string): string {
  const tooLong = Buffer.byteLength(emoji, 'utf8') > limits.reactionBytes;
  const looksLikeOne = /\p{Extended_Pictographic}|\p{Regional_Indicator}|^[0-9#*]\ufe0f?\u20e3$/u.test(emoji);
  if (tooLong || !looksLikeOne || !emoji.isWellFormed() || [...graphemesOf(emoji)].length !== 1) {
    throw createChatError('invalid', 'reaction_invalid', 'A reaction must be a single emoji.');
  }
  return fullEmoji(emoji);
}

/**
 * Checks that a message can be reacted to, pinned or starred. A tombstone and a system message cannot.
 *
 * @throws message_not_found.
 */
export function checkAnnotatable({ message }: MessageWithRights): void {
  if (message.deletedAt || message.messageType === 'system') throw messageNotFound();
}

/**
 * Checks that a reaction is allowed. It reaches the other person like a message, but does not count toward the limit of
 * messages before acceptance.
 *
 * @throws message_not_found, blocked, messages_not_allowed.
 */
export function checkReaction(place: MessageWithRights): void {
  checkAnnotatable(place);
  if (place.blocked) throw messageBlocked();
  if (place.refusal === 'messages_not_allowed') throw messagesNotAllowed();
}

/**
 * Checks that a message can be pinned or unpinned. @throws message_not_found, not_admin, blocked, request_limit,
 * messages_not_allowed.
 */
export function checkPin(place: MessageWithRights, pinned: boolean): void {
  checkAnnotatable(place);
  if (!mayModerate(place.conversationType, place.role)) throw notAdmin();
  if (!pinned) return;
  if (place.blocked) throw messageBlocked();
  if (place.refusal) throw messageRequestRefused(place.refusal);
}

/**
 * Validates a timer. Returns null for 0, which keeps messages.
 *
 * @throws timer_invalid.
 */
export function checkDisappearingTimer(seconds: number): number | null {
  if (seconds === 0) return null;
  const inRange = seconds >= limits.disappearingSecondsMin && seconds <= limits.disappearingSecondsMax;
  if (!Number.isInteger(seconds) || !inRange) {
    throw createChatError('invalid', 'timer_invalid', 'The time after which messages disappear is out of range.', {
      minSeconds: limits.disappearingSecondsMin,
      maxSeconds: limits.disappearingSecondsMax,
    });
  }
  return seconds;
}
