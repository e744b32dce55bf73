import type { Message } from '@nolo/api';

/**
 * The part of a conversation's loaded messages that its list holds. What a list does when rows are put before those that
 * it has grows with what it has, so reading on upwards takes rows off at the other end, far from the screen. They stay in
 * memory, and come back from there. Rows that are put at the end cost next to nothing, and taking some off at the
 * beginning would be seen: nothing is taken off on the way down.
 */
export interface Part {
  /** The first message of it, by `seq`. */
  readonly from: number;
  /** The last one; null where it goes on with whatever comes. */
  readonly to: number | null;
}

/** How much a list holds at most when older messages are put before it, and by how much it grows at once. */
export const mostShown = 400;
export const stepShown = 50;

/** Always one dense run of `seq`. */
type Messages = readonly Message[];

const firstOf = (messages: Messages): number => messages[0]?.seq ?? 0;
const lastOf = (messages: Messages): number => messages.at(-1)?.seq ?? 0;

/** A part that ends before the newest message knows where; any other follows. */
const endingAt = (to: number, messages: Messages): number | null => (to >= lastOf(messages) ? null : to);

/** Where a list begins: with the newest messages, or around the one that somebody goes to. */
export function partAround(messages: Messages, seq: number | undefined): Part {
  const newest = { from: Math.max(firstOf(messages), lastOf(messages) - mostShown + 1), to: null };
  if (seq === undefined || seq < firstOf(messages) || seq >= newest.from + mostShown / 4) return newest;
  const from = Math.max(firstOf(messages), seq - mostShown / 2);
  return { from, to: endingAt(from + mostShown - 1, messages) };
}

export function isInPart({ from, to }: Part, seq: number): boolean {
  return seq >= from && (to === null || seq <= to);
}

/** Reads on towards the beginning, as far as messages are here; the same part where there are none. */
export function partWithOlder(part: Part, messages: Messages): Part {
  const from = Math.max(firstOf(messages), part.from - stepShown);
  if (from >= part.from) return part;
  const to = Math.min(part.to ?? lastOf(messages), from + mostShown - 1);
  return { from, to: endingAt(to, messages) };
}

/** Reads on towards the newest message; the same part where it follows that already. */
export function partWithNewer(part: Part, messages: Messages): Part {
  return part.to === null ? part : { from: part.from, to: endingAt(part.to + stepShown, messages) };
}

/** The part grown to a message outside of it, and some beyond; undefined where a list would hold too much. */
export function partReaching({ from, to }: Part, seq: number, messages: Messages): Part | undefined {
  const first = Math.max(firstOf(messages), Math.min(from, seq - stepShown));
  const last = to === null ? null : endingAt(Math.max(to, seq + stepShown), messages);
  return (last ?? lastOf(messages)) - first < mostShown ? { from: first, to: last } : undefined;
}

/** The messages of the part. */
export function messagesOf({ from, to }: Part, messages: Messages): Messages {
  const first = firstOf(messages);
  if (from <= first && to === null) return messages;
  return messages.slice(Math.max(0, from - first), to === null ? undefined : to - first + 1);
}
