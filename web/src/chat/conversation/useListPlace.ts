import { useRef, type RefObject } from 'react';
import { useChat } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import type { Entry } from '../engine/entries.ts';
import { readPlace } from './scrollPlace.ts';
import type { ShownPart } from './useShownPart.ts';

/**
 * Tracks the position in a list: stores it for the next opening, follows new messages, and scrolls to the newest one.
 */
export function useListPlace(
  id: string,
  {
    part,
    outside,
    entries,
    scroller,
    toEnd,
  }: {
    part: ShownPart;
    outside: boolean;
    entries: readonly Entry[];
    scroller: RefObject<HTMLElement | null>;
    toEnd: () => void;
  },
) {
  const { engine, places } = useChat();
  const past = outside || part.hasNewer;
  const moving = useRef(false);
  const keepPlace = (): void => {
    const place = scroller.current && readPlace(scroller.current, entries);
    if (place && !outside) places.set(id, place);
    else if (outside || !part.hasNewer) places.delete(id);
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
      if (outside) actionsOf(engine).toNewest(id);
      else if (part.hasNewer) part.toNewest();
      else toEnd();
    },
  };
}
