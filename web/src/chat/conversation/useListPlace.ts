import { useRef, type RefObject } from 'react';
import { useChat } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import type { Entry } from '../engine/entries.ts';
import { readPlace } from './scrollPlace.ts';
import type { ShownPart } from './useShownPart.ts';

/** Where in a list somebody is: kept for the next visit, taken along by what comes, and the way to the newest message. */
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
      // Reading on in the past adds below as well, and nobody wants to be taken along.
      if (past) return false;
      // One's own message is what one wants to see, wherever one was.
      const ownAtEnd = entries.at(-1)?.pending?.state === 'sending';
      if (!bottom) return ownAtEnd ? 'auto' : false;
      const still = document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;
      return still ? 'auto' : 'smooth';
    },
    /** The list says it at every drawing as well, where to look at the place would have the browser lay out all of it. */
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
