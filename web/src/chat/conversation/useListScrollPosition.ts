import { useRef, type RefObject } from 'react';
import { useChat } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { readScrollPosition } from './scrollPosition.ts';
import type { VisibleMessages } from './useVisibleMessages.ts';

/**
 * Tracks the position in a list: stores it for the next opening, follows new messages, and scrolls to the newest one.
 */
export function useListScrollPosition(
  id: string,
  {
    visible,
    outside,
    entries,
    scroller,
    toEnd,
  }: {
    visible: VisibleMessages;
    outside: boolean;
    entries: readonly MessageListEntry[];
    scroller: RefObject<HTMLElement | null>;
    toEnd: () => void;
  },
) {
  const { engine, places } = useChat();
  const past = outside || visible.hasNewer;
  const moving = useRef(false);
  const keepPlace = (): void => {
    const place = scroller.current && readScrollPosition(scroller.current, entries);
    if (place && !outside) places.set(id, place);
    else if (outside || !visible.hasNewer) places.delete(id);
  };
  return {
    followOutput(bottom: boolean): 'smooth' | 'auto' | false {
      // Reading on in old messages also appends rows, which must not scroll the list.
      if (past) return false;
      // Users want to see their own message, wherever they were.
      const ownAtEnd = entries.at(-1)?.pending?.state === 'sending';
      if (!bottom) return ownAtEnd ? 'auto' : false;
      const still = document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;
      return still ? 'auto' : 'smooth';
    },
    /** The list also reports this at each render. Reading the position then would force a layout of the whole list. */
    isScrolling(scrolling: boolean): void {
      if (moving.current && !scrolling) keepPlace();
      moving.current = scrolling;
    },
    toNewest(): void {
      places.delete(id);
      if (outside) getConversationActions(engine).toNewest(id);
      else if (visible.hasNewer) visible.toNewest();
      else toEnd();
    },
  };
}
