import type { MessageListEntry } from './timeline.ts';

const groupMs = 5 * 60_000;

export interface EntryBoundaries {
  /** First of its day, below a separator. */
  readonly startsDay: boolean;
  /** True if the "new messages" marker is above it. */
  readonly startsUnread: boolean;
  /** First and last of a run by one author, each within five minutes of the previous one. */
  readonly startsGroup: boolean;
  readonly endsGroup: boolean;
}

/* Day of the previous result. Neighbors are mostly from the same day, and a calendar costs more than a comparison. */
let day = { from: 0, to: 0 };

function sameDay(a: number, b: number): boolean {
  if (a < day.from || a >= day.to) {
    const date = new Date(a);
    day = { from: date.setHours(0, 0, 0, 0), to: date.setDate(date.getDate() + 1) };
  }
  return b >= day.from && b < day.to;
}

function belongTogether(first: MessageListEntry | undefined, second: MessageListEntry | undefined): boolean {
  if (!first || !second || first.senderId !== second.senderId) return false;
  if (first.message?.messageType === 'system' || second.message?.messageType === 'system') return false;
  return second.at - first.at < groupMs && sameDay(first.at, second.at);
}

/** Returns the place of an entry among its neighbors. The held-back entry precedes the first one. */
export function toEntryBoundaries(
  entries: readonly MessageListEntry[],
  index: number,
  unreadKey: string | null,
  hiddenNeighbour?: MessageListEntry,
): EntryBoundaries {
  const before = entries[index - 1] ?? hiddenNeighbour;
  const entry = entries[index];
  const after = entries[index + 1];
  const startsUnread = entry !== undefined && entry.key === unreadKey;
  return {
    startsDay: entry !== undefined && !(before && sameDay(before.at, entry.at)),
    startsUnread,
    startsGroup: startsUnread || !belongTogether(before, entry),
    endsGroup: after?.key === unreadKey || !belongTogether(entry, after),
  };
}
