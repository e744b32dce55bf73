import { useEffect } from 'react';
import { searchIntentStore } from '../chat/context/searchIntentStore.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';

/** Delay that gives priority to the first screen and the prefetched lists. */
const afterMs = 5_000;

/** Keeps the signed-in user's messages ready for searching. */
export function useMessageSearchIndexing(engine: ChatEngine): void {
  useEffect(() => {
    let end: (() => void) | undefined;
    let begun = false;
    let ended = false;
    const load = async (): Promise<void> => {
      const { startSearch } = await import('../search/search.ts');
      if (!ended) end = startSearch(engine);
    };
    const begin = (): void => {
      if (begun) return;
      begun = true;
      // Offline and never loaded before: messages cannot be searched this time.
      load().catch(() => (begun = false));
    };
    const timer = setTimeout(begin, afterMs);
    const unsubscribe = searchIntentStore.subscribe(begin);
    return () => {
      ended = true;
      clearTimeout(timer);
      unsubscribe();
      end?.();
    };
  }, [engine]);
}
