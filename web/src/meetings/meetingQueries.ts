import { routes, type Meeting } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePages } from '../api/usePages.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { usePagedList, type PagedList } from '../ui/pagedList.ts';
import type { MeetingFilter } from './meetingList.ts';

export const meetingsQueryKey = ['meetings'] as const;

const pageSize = 50;
/** Milliseconds between polls, because meetings start and end without notifying people outside. */
const pollMs = 30_000;

export type MeetingListing = PagedList<Meeting>;

/** Loads the user's meetings page by page, and keeps them up to date while visible. */
export function useMeetings(filter: MeetingFilter): MeetingListing {
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: meetingsQueryKey });
  }, [connected, queryClient]);
  return usePagedList(
    usePages(routes.listMeetings, {
      queryKey: [...meetingsQueryKey, filter],
      query: { limit: pageSize, ...(filter !== 'all' && { status: filter }) },
      keepPrevious: true,
      pollMs,
    }),
  );
}
