import type { Conversation, Message } from '@nolo/api';
import { useMemo } from 'react';
import { findAlbums } from '@nolo/client/chat/album';
import {
  firstListIndex,
  findFirstUnreadIndex,
  splitHiddenNeighbour,
  joinMessageListEntries,
} from '@nolo/client/chat/entries';
import type { PendingMessage, Timeline } from '@nolo/client/chat/timeline';
import { useReadTracking } from './useReadTracking.ts';
import type { VisibleMessages } from './useVisibleMessages.ts';

const nonePending: readonly PendingMessage[] = [];

/** Returns null if the marker belongs above a loaded message that is not shown. */
function unreadMarkerAfter(readUpTo: number | null, { hasOlder, messages }: VisibleMessages): number | null {
  const [first]: readonly Message[] = messages;
  return hasOlder && (readUpTo ?? 0) < (first?.seq ?? 0) - 1 ? null : readUpTo;
}

/** Returns the rows of a list: sent and pending messages, grouped into albums, with the unread marker. */
export function useShownEntries(
  conversation: Conversation,
  timeline: Timeline,
  {
    visible,
    past,
    more,
    jumpSeq,
    selfId,
    atBottom,
  }: {
    visible: VisibleMessages;
    /** True if newer messages are not shown. */
    past: boolean;
    /** True if older messages are available. */
    more: boolean;
    jumpSeq: number | undefined;
    selfId: string;
    atBottom: boolean;
  },
) {
  const { messages, rowsAfter } = visible;
  const pending = visible.hasNewer ? nonePending : timeline.pending;
  const { hiddenNeighbour, shown: entries } = useMemo(
    () => splitHiddenNeighbour(joinMessageListEntries(messages, pending, selfId), more, jumpSeq),
    [messages, pending, selfId, more, jumpSeq],
  );
  const firstIndex = useMemo(
    () => firstListIndex(entries, timeline.messages.at(-1)?.seq ?? 0, rowsAfter),
    [entries, timeline.messages, rowsAfter],
  );
  const unreadAfter = unreadMarkerAfter(useReadTracking(conversation, timeline, atBottom && !past), visible);
  const unreadIndex = useMemo(() => findFirstUnreadIndex(entries, unreadAfter, selfId), [entries, unreadAfter, selfId]);
  const unreadKey = past ? null : (entries[unreadIndex]?.key ?? null);
  const albums = useMemo(() => findAlbums(entries, unreadKey), [entries, unreadKey]);
  return { entries, heldBack: hiddenNeighbour, firstIndex, unreadIndex, unreadKey, albums };
}
