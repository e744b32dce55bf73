import type { Entry } from './entries.ts';

const groupMs = 5 * 60_000;

export interface EntryPlace {
  /** The first of its day: a separator stands above. */
  readonly startsDay: boolean;
  /** The "new messages" marker stands above. */
  readonly startsUnread: boolean;
  /** The first and the last of a run by one author, each within five minutes of the one before. */
  readonly startsGroup: boolean;
  readonly endsGroup: boolean;
}

/* The day of the last answer: its neighbours mostly are of the same one, and a calendar costs more than a comparison. */
let day = { from: 0, to: 0 };

function sameDay(a: number, b: number): boolean {
  if (a < day.from || a >= day.to) {
    const date = new Date(a);
    day = { from: date.setHours(0, 0, 0, 0), to: date.setDate(date.getDate() + 1) };
  }
  return b >= day.from && b < day.to;
}

function belongTogether(first: Entry | undefined, second: Entry | undefined): boolean {
  if (!first || !second || first.senderId !== second.senderId) return false;
  if (first.message?.messageType === 'system' || second.message?.messageType === 'system') return false;
  return second.at - first.at < groupMs && sameDay(first.at, second.at);
}

/** Where an entry stands among its neighbours, of which the first has the one that is held back before it. */
export function placeOf(
  entries: readonly Entry[],
  index: number,
  unreadKey: string | null,
  heldBack?: Entry,
): EntryPlace {
  const before = entries[index - 1] ?? heldBack;
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
