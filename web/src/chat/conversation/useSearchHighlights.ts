import type { RefObject } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { conversationSearchStore } from './conversationSearchStore.ts';

/** Highlights the query in the listed messages while the search is open. */
export function useSearchHighlights(conversationId: string, list: RefObject<HTMLElement | null>): void {
  const query = useStore(conversationSearchStore, (state) =>
    state.conversationId === conversationId ? state.query : '',
  );
  useEffect(() => {
    const element = list.current;
    if (!element || query.trim() === '') return undefined;
    let ended = false;
    let end: (() => void) | undefined;
    import('./highlightMatches.ts')
      .then(({ highlightQueryInList: followTyped }) => {
        if (!ended) end = followTyped(element, query);
      })
      .catch(() => {
        // The code was never loaded and there is no network. The search still jumps to messages.
      });
    return () => {
      ended = true;
      end?.();
    };
  }, [query, list]);
}
