import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import { conversationSearchStore } from './conversationSearchStore.ts';

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
