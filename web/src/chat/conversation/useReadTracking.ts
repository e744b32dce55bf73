import type { Conversation } from '@nolo/api';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useChat } from '../context/chatContext.ts';
import type { Timeline } from '@nolo/client/chat/timeline';

function subscribeToAttention(changed: () => void): () => void {
  addEventListener('focus', changed);
  addEventListener('blur', changed);
  document.addEventListener('visibilitychange', changed);
  return () => {
    removeEventListener('focus', changed);
    removeEventListener('blur', changed);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** Returns true if the page has the user's attention: it is visible and focused. */
function useHasAttention(): boolean {
  return useSyncExternalStore(
    subscribeToAttention,
    () => document.visibilityState === 'visible' && document.hasFocus(),
  );
}

/**
 * Moves the read cursor while the newest message is on screen and the page has attention. Returns the position of the
 * "new messages" marker: after the last message read when the conversation was opened, or when the user last looked
 * away or scrolled up.
 */
export function useReadTracking(conversation: Conversation, timeline: Timeline, atBottom: boolean): number | null {
  const { engine } = useChat();
  const attention = useHasAttention();
  const { id, readSeq, lastSeq, unreadCount } = conversation;
  const [marker, setMarker] = useState<number | null>(unreadCount > 0 ? readSeq : null);
  const [seenCount, setSeenCount] = useState(timeline.pending.length);
  const shownSeq = timeline.messages.at(-1)?.seq ?? 0;
  const reading = attention && atBottom && timeline.status === 'ready' && shownSeq >= lastSeq;

  useEffect(() => {
    if (reading && readSeq < lastSeq) engine.markRead(id);
  }, [engine, id, reading, readSeq, lastSeq]);

  // A message arrived while the user was not reading: the marker moves above it, unless an earlier one still applies.
  if (!reading && unreadCount > 0 && (marker === null || marker < readSeq)) setMarker(readSeq);
  // Writing a reply is the clearest sign of having read.
  if (timeline.pending.length !== seenCount) {
    setSeenCount(timeline.pending.length);
    if (timeline.pending.length > seenCount && marker !== null) setMarker(null);
  }
  return marker;
}
