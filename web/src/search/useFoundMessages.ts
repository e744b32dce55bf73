import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { searchIntentStore } from '../chat/context/searchIntentStore.ts';
import type { FoundMessage, SearchFilter } from './index/searchPorts.ts';
import { messageSearchStore, type MessageSearch } from './search.ts';

export interface FoundMessages {
  readonly state: 'searching' | 'ready' | 'failed';
  readonly found: readonly FoundMessage[];
  readonly more: boolean;
  loadMore(): void;
}

const nothing: readonly FoundMessage[] = [];

/** Returns the signed-in user's search, and starts it on first use. */
export function useMessageSearch(): MessageSearch | null {
  useEffect(() => searchIntentStore.setState({ wanted: true }), []);
  return useStore(messageSearchStore, ({ search }) => search);
}

/**
 * Returns results while the user types, `limit` at first. Repeats the search when `revision` changes. Empty without a
 * query.
 */
export function useFoundMessages(typed: string, filter: SearchFilter, limit: number, revision = 0): FoundMessages {
  const search = useMessageSearch();
  const { conversationId, senderId, from, to, kind } = filter;
  const hasQuery = typed.trim() !== '' || Object.values(filter).some((one) => one !== undefined);
  const key = JSON.stringify([typed.trim(), conversationId, senderId, from, to, kind]);
  const [pages, setPages] = useState({ key, count: 1 });
  const [result, setResult] = useState<Omit<FoundMessages, 'loadMore'> & { key: string }>();
  const count = pages.key === key ? pages.count : 1;
  const latest = useRef(filter);
  latest.current = filter;

  useEffect(() => {
    if (!search || !hasQuery) return;
    let current = true;
    search.client
      .search({ typed, filter: latest.current, limit: limit * count })
      .then(({ found, more }) => current && setResult({ key, state: 'ready', found, more }))
      .catch(() => current && setResult({ key, state: 'failed', found: nothing, more: false }));
    return () => {
      current = false;
    };
    // The key combines query and filter.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [search, hasQuery, key, limit, count, revision]);

  const loadMore = () => setPages({ key, count: count + 1 });
  if (!hasQuery) return { state: 'ready', found: nothing, more: false, loadMore };
  // Previous results stay until the new response arrives.
  if (!result) return { state: 'searching', found: nothing, more: false, loadMore };
  return { ...result, state: result.key === key ? result.state : 'searching', loadMore };
}
