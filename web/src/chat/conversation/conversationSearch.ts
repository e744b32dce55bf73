import { useEffect, type RefObject } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';

/** Conversation under search (opened by a key, its header, or its details) and the query. */
export const conversationSearchStore = createStore<{ conversationId: string | null; query: string }>(() => ({
  conversationId: null,
  query: '',
}));

export const closeSearch = (): void => conversationSearchStore.setState({ conversationId: null, query: '' });

/** Returns true while this conversation is being searched. Ctrl+F starts a search if `hasKey` is set. */
export function useIsSearching(id: string, hasKey: boolean): boolean {
  const searching = useStore(conversationSearchStore, (state) => state.conversationId === id);
  useCloseOverlayOnBack(searching, closeSearch);
  useEffect(() => {
    if (!hasKey) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // An open dialog keeps the browser's own search.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      conversationSearchStore.setState({ conversationId: id });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [id, hasKey]);
  return searching;
}

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
