import type { Message } from '@nolo/api';

/**
 * Range of a conversation's loaded messages that the list holds. The cost of prepending rows grows with the rows the
 * list has, so reading upwards removes rows at the other end, far from the screen. They stay in memory and return from
 * there. Appending rows is cheap, and removing rows at the beginning would be visible, so nothing is removed when
 * reading downwards.
 */
export interface VisibleRange {
  /** `seq` of the first message. */
  readonly from: number;
  /** `seq` of the last message. Null if the part follows the newest messages. */
  readonly to: number | null;
}

/** Maximum messages in a list when older ones are prepended, and the number added at a time. */
export const maxVisibleMessages = 400;
export const visibleRangeStep = 50;

/** Messages with gapless `seq`. */
type Messages = readonly Message[];

const firstOf = (messages: Messages): number => messages[0]?.seq ?? 0;
const lastOf = (messages: Messages): number => messages.at(-1)?.seq ?? 0;

/** A part that ends before the newest message stores its end. Any other part follows the newest messages. */
const endingAt = (to: number, messages: Messages): number | null => (to >= lastOf(messages) ? null : to);

/** Returns the initial part: the newest messages, or those around `seq`. */
export function visibleRangeAround(messages: Messages, seq: number | undefined): VisibleRange {
  const newest = { from: Math.max(firstOf(messages), lastOf(messages) - maxVisibleMessages + 1), to: null };
  if (seq === undefined || seq < firstOf(messages) || seq >= newest.from + maxVisibleMessages / 4) return newest;
  const from = Math.max(firstOf(messages), seq - maxVisibleMessages / 2);
  return { from, to: endingAt(from + maxVisibleMessages - 1, messages) };
}

export function isInVisibleRange({ from, to }: VisibleRange, seq: number): boolean {
  return seq >= from && (to === null || seq <= to);
}

/** Extends the part towards the beginning, as far as messages are loaded. Returns an equal part if nothing is left. */
export function extendToOlder(range: VisibleRange, messages: Messages): VisibleRange {
  const from = Math.max(firstOf(messages), range.from - visibleRangeStep);
  if (from >= range.from) return range;
  const to = Math.min(range.to ?? lastOf(messages), from + maxVisibleMessages - 1);
  return { from, to: endingAt(to, messages) };
}

/** Extends the part towards the newest message. Returns the same part if it already follows the newest messages. */
export function extendToNewer(range: VisibleRange, messages: Messages): VisibleRange {
  return range.to === null ? range : { from: range.from, to: endingAt(range.to + visibleRangeStep, messages) };
}

/** Extends the part to a message outside it and some beyond. Returns undefined if the list would get too long. */
export function extendToMessage({ from, to }: VisibleRange, seq: number, messages: Messages): VisibleRange | undefined {
  const first = Math.max(firstOf(messages), Math.min(from, seq - visibleRangeStep));
  const last = to === null ? null : endingAt(Math.max(to, seq + visibleRangeStep), messages);
  return (last ?? lastOf(messages)) - first < maxVisibleMessages ? { from: first, to: last } : undefined;
}

export function messagesOfRange({ from, to }: VisibleRange, messages: Messages): Messages {
  const first = firstOf(messages);
  if (from <= first && to === null) return messages;
  return messages.slice(Math.max(0, from - first), to === null ? undefined : to - first + 1);
}
