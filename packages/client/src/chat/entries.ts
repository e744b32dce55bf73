import type { Message } from '@nolo/api';
import { hasDisappeared } from './expiry.ts';
import type { PendingMessage, MessageListEntry } from './timeline.ts';
import { countLeadingPictures } from './album.ts';

/** Returns the key of a message in the list, before and after it is stored. */
export const entryKeyOf = ({ clientMessageId, id }: Message): string => clientMessageId ?? id;

/* Messages are immutable, so each entry is created once. A list of thousands is joined again for every arrival. */
const known = new WeakMap<Message, MessageListEntry>();

function entryOf(message: Message): MessageListEntry {
  const existing = known.get(message);
  if (existing) return existing;
  const made = {
    key: entryKeyOf(message),
    senderId: message.senderId,
    at: Date.parse(message.createdAt),
    message,
    pending: null,
  };
  known.set(message, made);
  return made;
}

export function joinMessageListEntries(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  selfId: string,
): MessageListEntry[] {
  // Expired messages and those hidden by the user do not appear. Deleted ones appear as deleted.
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
 * Returns the index of the first entry, for a list that must not move when older ones are prepended. It counts down
 * from the newest message, because expired messages have no entries. `after` is the number of rows after the shown
 * ones.
 */
export function firstListIndex(entries: readonly MessageListEntry[], newestSeq: number, after = 0): number {
  const stored = entries.reduce((count, { message }) => count + (message ? 1 : 0), 0);
  return Math.max(1, newestSeq - after - stored + 1);
}

/**
 * Returns the entries to show. While older ones exist, the first is held back, because it determines the separator or
 * gap of the next one. A separator that vanished when the older page arrives would move everything below. Pictures are
 * held back with their grid, unless nothing else remains or the user jumps to one of them.
 */
export function splitHiddenNeighbour(
  entries: readonly MessageListEntry[],
  more: boolean,
  wanted?: number,
): { hiddenNeighbour?: MessageListEntry; shown: readonly MessageListEntry[] } {
  if (!more || entries.length < 2) return { shown: entries };
  const run = countLeadingPictures(entries);
  const maxCount = run === entries.length ? 1 : Math.max(1, run);
  const target = wanted === undefined ? -1 : entries.findIndex(({ message }) => message?.seq === wanted);
  const count = target < 0 ? maxCount : Math.min(maxCount, target);
  const hiddenNeighbour = entries[count - 1];
  return hiddenNeighbour ? { hiddenNeighbour, shown: entries.slice(count) } : { shown: entries };
}

/**
 * Returns the index of the entry below the "new messages" marker: the first from another person after the read cursor.
 */
export function findFirstUnreadIndex(
  entries: readonly MessageListEntry[],
  unreadAfter: number | null,
  selfId: string,
): number {
  if (unreadAfter === null) return -1;
  return entries.findIndex(
    ({ message }) => message !== null && message.seq > unreadAfter && message.senderId !== selfId,
  );
}
