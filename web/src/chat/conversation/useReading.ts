import type { Conversation } from '@nolo/api';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useChat } from '../context/chatContext.ts';
import type { Timeline } from '../engine/timeline.ts';

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

/** Whether someone looks at the page: it is visible and has the focus. */
export function useAttention(): boolean {
  return useSyncExternalStore(
    subscribeToAttention,
    () => document.visibilityState === 'visible' && document.hasFocus(),
  );
}

/**
 * Moves the read cursor while the newest message is on the screen of someone who looks at it, and answers where the
 * "new messages" marker stands: after the last message that was read when the conversation was opened, or when the
 * person last looked away or scrolled up.
 */
export function useReading(conversation: Conversation, timeline: Timeline, atBottom: boolean): number | null {
  const { engine } = useChat();
  const attention = useAttention();
  const { id, readSeq, lastSeq, unreadCount } = conversation;
  const [marker, setMarker] = useState<number | null>(unreadCount > 0 ? readSeq : null);
  const [seenCount, setSeenCount] = useState(timeline.pending.length);
  const shownSeq = timeline.messages.at(-1)?.seq ?? 0;
  const reading = attention && atBottom && timeline.status === 'ready' && shownSeq >= lastSeq;

  useEffect(() => {
    if (reading && readSeq < lastSeq) engine.markRead(id);
  }, [engine, id, reading, readSeq, lastSeq]);

  // Something came while nobody read: the marker stands above it, unless an earlier one still does.
  if (!reading && unreadCount > 0 && (marker === null || marker < readSeq)) setMarker(readSeq);
  // Writing an answer is the clearest sign of having read.
  if (timeline.pending.length !== seenCount) {
    setSeenCount(timeline.pending.length);
    if (timeline.pending.length > seenCount && marker !== null) setMarker(null);
  }
  return marker;
}
