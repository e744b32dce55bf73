import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useOverlay } from '../../ui/useOverlay.ts';
import { searchStore } from './searchStore.ts';

export const endSearch = (): void => searchStore.setState({ conversationId: null, query: '' });

/** Whether one searches in this conversation; Ctrl+F begins it where `hasKey`. */
export function useSearching(id: string, hasKey: boolean): boolean {
  const searching = useStore(searchStore, (state) => state.conversationId === id);
  useOverlay(searching, endSearch);
  useEffect(() => {
    if (!hasKey) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // A dialog over it keeps the browser's own search.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      searchStore.setState({ conversationId: id });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [id, hasKey]);
  return searching;
}
