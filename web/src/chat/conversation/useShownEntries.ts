import type { Conversation, Message } from '@nolo/api';
import { useMemo } from 'react';
import { findAlbums } from '../engine/album.ts';
import { firstIndexOf, firstUnread, holdBack, joinEntries } from '../engine/entries.ts';
import type { PendingMessage, Timeline } from '../engine/timeline.ts';
import { useReading } from './useReading.ts';
import type { ShownPart } from './useShownPart.ts';

const nonePending: readonly PendingMessage[] = [];

/** Returns null if the marker belongs above a loaded message that is not shown. */
function markedAfter(readUpTo: number | null, { hasOlder, messages }: ShownPart): number | null {
  const [first]: readonly Message[] = messages;
  return hasOlder && (readUpTo ?? 0) < (first?.seq ?? 0) - 1 ? null : readUpTo;
}

/** Returns the rows of a list: sent and pending messages, grouped into albums, with the unread marker. */
export function useShownEntries(
  conversation: Conversation,
  timeline: Timeline,
  {
    part,
    past,
    more,
    jumpSeq,
    selfId,
    atBottom,
  }: {
    part: ShownPart;
    /** True if newer messages are not shown. */
    past: boolean;
    /** True if older messages are available. */
    more: boolean;
    jumpSeq: number | undefined;
    selfId: string;
    atBottom: boolean;
  },
) {
  const { messages, rowsAfter } = part;
  const pending = part.hasNewer ? nonePending : timeline.pending;
  const { heldBack, shown: entries } = useMemo(
    () => holdBack(joinEntries(messages, pending, selfId), more, jumpSeq),
    [messages, pending, selfId, more, jumpSeq],
  );
  const firstIndex = useMemo(
    () => firstIndexOf(entries, timeline.messages.at(-1)?.seq ?? 0, rowsAfter),
    [entries, timeline.messages, rowsAfter],
  );
  const unreadAfter = markedAfter(useReading(conversation, timeline, atBottom && !past), part);
  const unreadIndex = useMemo(() => firstUnread(entries, unreadAfter, selfId), [entries, unreadAfter, selfId]);
  const unreadKey = past ? null : (entries[unreadIndex]?.key ?? null);
  const albums = useMemo(() => findAlbums(entries, unreadKey), [entries, unreadKey]);
  return { entries, heldBack, firstIndex, unreadIndex, unreadKey, albums };
}
