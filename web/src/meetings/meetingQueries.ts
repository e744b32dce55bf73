import type { Meeting } from '@nolo/api';
import { routes } from '@nolo/api';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { callPage } from '../api/httpClient.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import type { MeetingFilter } from './meetingList.ts';
import { removeRepeatedMeetings } from './meetingList.ts';

export const meetingsQueryKey = ['meetings'] as const;

const pageSize = 50;
/** Milliseconds between polls, because meetings start and end without notifying people outside. */
const refetchIntervalMs = 30_000;

export interface MeetingListing {
  /** Undefined until the first response. */
  meetings: readonly Meeting[] | undefined;
  complete: boolean;
  failed: boolean;
  /** True if the first page loaded and a further one failed. */
  moreFailed: boolean;
  fetching: boolean;
  retry: () => void;
  more: () => void;
}

/** Loads the user's meetings page by page, and keeps them up to date while visible. */
export function useMeetings(filter: MeetingFilter): MeetingListing {
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: meetingsQueryKey });
  }, [connected, queryClient]);

  const query = useInfiniteQuery({
    queryKey: [...meetingsQueryKey, filter],
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listMeetings, {
        query: {
          limit: pageSize,
          ...(filter !== 'all' && { status: filter }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: refetchIntervalMs,
    placeholderData: keepPreviousData,
  });
  const meetings = useMemo(
    () => query.data && removeRepeatedMeetings(query.data.pages.flatMap((page) => page.items)),
    [query.data],
  );
  return {
    meetings,
    complete: !query.hasNextPage,
    failed: query.isError && meetings === undefined,
    moreFailed: query.isFetchNextPageError,
    fetching: query.isFetching,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    more: () => {
      if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
    },
  };
}
