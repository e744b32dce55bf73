import { type ConversationType, fullEmoji, graphemesOf, limits, type MemberRole } from '@nolo/rules';
import { failChat, messageBlocked, messageNotFound, messagesNotAllowed, notAdmin, requestRefused } from '../errors.ts';
import type { MessageInPlace } from './markPorts.ts';

/** Whether somebody decides about a conversation with more than two sides. */
export function isAdminOf(type: ConversationType, role: MemberRole): boolean {
  return type !== 'direct' && role !== 'member';
}

/** In a direct conversation both decide about what concerns both (decision 15). */
export function mayDecide(type: ConversationType, role: MemberRole): boolean {
  return type === 'direct' || isAdminOf(type, role);
}

/**
 * Reads one emoji, and not a word of text, in its one form. Which emoji there are changes every year, so this only looks at
 * what it is made of.
 *
 * @throws reaction_invalid.
 */
export function checkEmoji(emoji: string): string {
  const tooLong = Buffer.byteLength(emoji, 'utf8') > limits.reactionBytes;
  const looksLikeOne = /\p{Extended_Pictographic}|\p{Regional_Indicator}|^[0-9#*]\ufe0f?\u20e3$/u.test(emoji);
  if (tooLong || !looksLikeOne || !emoji.isWellFormed() || [...graphemesOf(emoji)].length !== 1) {
    throw failChat('invalid', 'reaction_invalid', 'A reaction is one emoji.');
  }
  return fullEmoji(emoji);
}

/**
 * What a person says stays with what others made of it, so a tombstone and the server's own words take no marks.
 *
 * @throws message_not_found.
 */
export function checkMarkable({ message }: MessageInPlace): void {
  if (message.deletedAt || message.messageType === 'system') throw messageNotFound();
}

/**
 * A reaction reaches the other like a message, but is no entry of its own that counts until this person has accepted.
 *
 * @throws message_not_found, blocked, messages_not_allowed.
 */
export function checkReaction(place: MessageInPlace): void {
  checkMarkable(place);
  if (place.blocked) throw messageBlocked();
  if (place.refusal === 'messages_not_allowed') throw messagesNotAllowed();
}

/** @throws message_not_found, not_admin, blocked, request_limit, messages_not_allowed. */
export function checkPin(place: MessageInPlace, pinned: boolean): void {
  checkMarkable(place);
  if (!mayDecide(place.conversationType, place.role)) throw notAdmin();
  if (!pinned) return;
  if (place.blocked) throw messageBlocked();
  if (place.refusal) throw requestRefused(place.refusal);
}

/**
 * Null for 0, which keeps messages.
 *
 * @throws timer_invalid.
 */
export function checkTimer(seconds: number): number | null {
  if (seconds === 0) return null;
  const inRange = seconds >= limits.disappearingSecondsMin && seconds <= limits.disappearingSecondsMax;
  if (!Number.isInteger(seconds) || !inRange) {
    throw failChat('invalid', 'timer_invalid', 'Messages cannot disappear after this time.', {
      minSeconds: limits.disappearingSecondsMin,
      maxSeconds: limits.disappearingSecondsMax,
    });
  }
  return seconds;
}
