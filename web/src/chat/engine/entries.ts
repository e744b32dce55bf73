import type { Message } from '@nolo/api';
import { hasDisappeared } from './expiry.ts';
import type { PendingMessage } from './timeline.ts';
import { leadingPictures } from './album.ts';

/** One row of the list: a stored message, or one of one's own that is on its way. */
export interface Entry {
  /** Stays the same when the server stores the message, so that its bubble stays the same too. */
  readonly key: string;
  readonly senderId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message: Message | null;
  readonly pending: PendingMessage | null;
}

/** Under which a message stands in the list, before and after it was stored. */
export const clientKeyOf = ({ clientMessageId, id }: Message): string => clientMessageId ?? id;

/* A message never changes in place, so its entry is made once; a list of thousands is joined anew with every arrival. */
const known = new WeakMap<Message, Entry>();

function entryOf(message: Message): Entry {
  const existing = known.get(message);
  if (existing) return existing;
  const made = {
    key: clientKeyOf(message),
    senderId: message.senderId,
    at: Date.parse(message.createdAt),
    message,
    pending: null,
  };
  known.set(message, made);
  return made;
}

export function joinEntries(messages: readonly Message[], pending: readonly PendingMessage[], selfId: string): Entry[] {
  // Of what has disappeared, or one has hidden, nothing is shown; what somebody deleted says so.
  const entries = messages.filter((message) => !message.hidden && !hasDisappeared(message)).map(entryOf);
  for (const message of pending) {
    entries.push({
      key: message.clientMessageId,
      senderId: selfId,
      at: message.createdAt,
      message: null,
      pending: message,
    });
  }
  return entries;
}

/**
 * The number of the first entry, for a list that must not move when older ones are put before it: counted down from the
 * newest message, for of what has disappeared there are no entries. `after` is how many rows follow those that are shown.
 */
export function firstIndexOf(entries: readonly Entry[], newestSeq: number, after = 0): number {
  const stored = entries.reduce((count, { message }) => count + (message ? 1 : 0), 0);
  return Math.max(1, newestSeq - after - stored + 1);
}

/**
 * Which entries are shown. While there are older ones to come the first is held back, to say how the next one stands to
 * it: a separator or a gap that went again when the older page arrives would move all below it. Pictures are held back
 * with those they will stand beside, unless there is nothing else, or somebody wants to be at one of them.
 */
export function holdBack(
  entries: readonly Entry[],
  more: boolean,
  wanted?: number,
): { heldBack?: Entry; shown: readonly Entry[] } {
  if (!more || entries.length < 2) return { shown: entries };
  const run = leadingPictures(entries);
  const most = run === entries.length ? 1 : Math.max(1, run);
  const target = wanted === undefined ? -1 : entries.findIndex(({ message }) => message?.seq === wanted);
  const count = target < 0 ? most : Math.min(most, target);
  const heldBack = entries[count - 1];
  return heldBack ? { heldBack, shown: entries.slice(count) } : { shown: entries };
}

/** Which entry the "new messages" marker stands above: the first of another person's beyond the read cursor. */
export function firstUnread(entries: readonly Entry[], unreadAfter: number | null, selfId: string): number {
  if (unreadAfter === null) return -1;
  return entries.findIndex(
    ({ message }) => message !== null && message.seq > unreadAfter && message.senderId !== selfId,
  );
}
