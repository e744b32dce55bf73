import type { Contact } from '@nolo/api';
import { cutText, limits } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { queryKeys, useContacts } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useRested } from '../shell/useRested.ts';
import { filterContacts, sortContacts } from './contactGroups.ts';

export interface ContactSearch {
  /** Undefined until the first answer. */
  contacts: readonly Contact[] | undefined;
  /** How many there are, where all of them are here. */
  total: number | null;
  failed: boolean;
  fetching: boolean;
  retry: () => void;
  /** Loads the next page, where there is one. */
  more: () => void;
}

/** A list that fits in one page is searched here at once; a longer one by the server. */
export function useContactSearch(search: string): ContactSearch {
  const all = useContacts('');
  // What was told live ends with a connection, and may have changed by the time of the next one.
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.contacts });
  }, [connected, queryClient]);
  const wanted = cutText(search.trim(), limits.searchQueryLength);
  const rested = useRested(wanted, limits.searchDebounceMs);
  const here = all.data !== undefined && !all.hasNextPage;
  const found = useContacts(here || wanted === '' ? '' : rested);

  const source = here ? all : found;
  const loaded = useMemo(() => {
    const contacts = source.data?.pages.flatMap((page) => page.items);
    // A list that came in pages keeps the server's order: nothing may move while one scrolls.
    return here && contacts && source.data?.pages.length === 1 ? sortContacts(contacts) : contacts;
  }, [source.data, here]);
  return {
    contacts: here && loaded ? filterContacts(loaded, wanted) : loaded,
    total: here ? (loaded?.length ?? null) : null,
    failed: source.isError && loaded === undefined,
    fetching: source.isFetching,
    retry: () => void source.refetch(),
    more: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
  };
}
