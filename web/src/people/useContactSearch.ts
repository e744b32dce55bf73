import { cutText, limits } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { queryKeys, useContacts } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useDebouncedValue } from '../shell/useDebouncedValue.ts';
import { filterContacts, sortContacts } from './contactGroups.ts';

/** Searches a list of one page immediately on this device, and a longer one on the server. */
export function useContactSearch(search: string) {
  const all = useContacts('');
  // Live presence ends with a connection, and may have changed by the next one.
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.contacts });
  }, [connected, queryClient]);
  const wanted = cutText(search.trim(), limits.searchQueryLength);
  const rested = useDebouncedValue(wanted, limits.searchDebounceMs);
  const here = all.data !== undefined && !all.hasNextPage;
  const found = useContacts(here || wanted === '' ? '' : rested);

  const source = here ? all : found;
  const loaded = useMemo(() => {
    const contacts = source.data?.pages.flatMap((page) => page.items);
    // A list of several pages keeps the server's order, because nothing may move while the user scrolls.
    return here && contacts && source.data?.pages.length === 1 ? sortContacts(contacts) : contacts;
  }, [source.data, here]);
  return {
    contacts: here && loaded ? filterContacts(loaded, wanted) : loaded,
    /** Number of contacts, if all of them are loaded. */
    total: here ? (loaded?.length ?? null) : null,
    failed: source.isError && loaded === undefined,
    fetching: source.isFetching,
    retry: () => void source.refetch(),
    more: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
  };
}
