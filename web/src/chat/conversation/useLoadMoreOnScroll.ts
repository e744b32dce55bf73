import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListRange } from 'react-virtuoso';
import { useChat } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import type { Timeline, MessageListEntry } from '@nolo/client/chat/timeline';
import type { MessageListContext } from './messageListContext.ts';
import type { VisibleMessages } from './useVisibleMessages.ts';

/** Rows before either end of the list at which it loads more. */
const ahead = 10;

/** Loads older messages from the server and tracks failures. */
export function useLoadOlderMessages(id: string): { olderFailed: boolean; loadOlder: () => void } {
  const { engine } = useChat();
  const [olderFailed, setOlderFailed] = useState(false);
  const loadOlder = useCallback(() => {
    setOlderFailed(false);
    getConversationActions(engine)
      .loadOlder(id)
      .catch(() => setOlderFailed(true));
  }, [engine, id]);
  return { olderFailed, loadOlder };
}

/** Returns the state of older messages for the head of the list. */
export function toOlderState(
  visible: VisibleMessages,
  timeline: Timeline,
  olderFailed: boolean,
): MessageListContext['older'] {
  if (visible.hasOlder) return 'more';
  if (olderFailed) return 'failed';
  if (timeline.loadingOlder) return 'loading';
  return timeline.hasOlder ? 'more' : 'none';
}

/**
 * Loads more messages before an end comes into view, so that they are inserted out of sight. Returns the callback for
 * the list's visible range.
 */
export function useLoadMoreOnScroll(
  id: string,
  timeline: Timeline,
  {
    visible,
    outside,
    entries,
    firstIndex,
    revealed,
    olderFailed,
    loadOlder,
  }: {
    visible: VisibleMessages;
    outside: boolean;
    entries: readonly MessageListEntry[];
    firstIndex: number;
    revealed: boolean;
    olderFailed: boolean;
    loadOlder: () => void;
  },
): (range: ListRange) => void {
  const { engine } = useChat();
  const edges = useRef<ListRange>(null);
  const loadNewer = (): void => {
    // Reaching the end again retries.
    getConversationActions(engine)
      .loadNewer(id)
      .catch(() => {});
  };
  const readOn = (): void => {
    if (!edges.current || !revealed) return;
    const { startIndex, endIndex } = edges.current;
    if (startIndex - firstIndex < ahead) {
      if (visible.hasOlder) return visible.older();
      if (!olderFailed) loadOlder();
    }
    if (firstIndex + entries.length - endIndex > ahead) return;
    if (visible.hasNewer) visible.newer();
    else if (outside) loadNewer();
  };
  const latestReadOn = useRef(readOn);
  useEffect(() => {
    latestReadOn.current = readOn;
  });
  useEffect(() => latestReadOn.current(), [entries, revealed, timeline.loadingOlder]);
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  return (range) => {
    edges.current = range;
    clearTimeout(soon.current);
    // Deferred, so that the list can first correct what it just rendered.
    soon.current = setTimeout(() => latestReadOn.current());
  };
}
