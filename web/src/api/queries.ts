import type { Contact } from '@nolo/api';
import { routes } from '@nolo/api';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ResultPage } from './httpClient.ts';
import { call, callPage } from './httpClient.ts';

/**
 * Keys of server data about people and devices. Conversations belong to the chat engine, and the user to
 * session/self.ts.
 */
export const queryKeys = {
  contacts: ['contacts'],
  contactList: (search: string) => ['contacts', 'list', search],
  blocked: ['blocked'],
  sessions: ['sessions'],
  storage: ['storage'],
  transcription: ['transcription'],
  identities: ['identities'],
  proof: ['proof'],
  accountExport: ['account', 'export'],
  securityNotices: ['securityNotices'],
  secondFactor: ['secondFactor'],
  statuses: ['statuses'],
  social: ['social'],
} as const;

type ContactPage = ResultPage<Contact[]>;

/** Queries the contacts whose name or number contains the search, page by page. */
export function contactsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.contactList(search),
    queryFn: ({ pageParam, signal }): Promise<ContactPage> =>
      callPage(routes.listContacts, {
        query: { limit: contactPageSize, ...(search !== '' && { q: search }), ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page: ContactPage) => page.nextCursor,
  });
}

export function useContacts(search: string) {
  return useInfiniteQuery({
    ...contactsQuery(search),
    // Shown from the cache and then refetched: presence and names change in the background.
    staleTime: 0,
    // The list keeps its content while the next search is loading.
    placeholderData: keepPreviousData,
  });
}

const contactPageSize = 100;

/** Lists the signed-in devices. */
export function useSessions() {
  return useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => call(routes.listSessions, { signal }),
    // The list is viewed rarely and must be correct then.
    staleTime: 0,
  });
}

/** Returns the bytes of files that the account stores, and their limit. */
export function useAccountStorage() {
  return useQuery({
    queryKey: queryKeys.storage,
    queryFn: ({ signal }) => call(routes.getStorage, { signal }),
    staleTime: 0,
  });
}

/** Returns the seconds of voice notes transcribed this month, and their limit; queried only if transcription exists. */
export function useTranscriptionUsage(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.transcription,
    queryFn: ({ signal }) => call(routes.getTranscription, { signal }),
    staleTime: 0,
    enabled,
  });
}

/** Lists the account's sign-in methods. */
export function useIdentities() {
  return useQuery({
    queryKey: queryKeys.identities,
    queryFn: ({ signal }) => call(routes.listIdentities, { signal }),
    staleTime: 0,
  });
}

/** Returns the account's two-step verification. */
export function useSecondFactor() {
  return useQuery({
    queryKey: queryKeys.secondFactor,
    queryFn: ({ signal }) => call(routes.getSecondFactor, { signal }),
    staleTime: 0,
  });
}

/** Lists sign-ins and changes of sign-in methods, page by page. */
export function useSecurityNotices() {
  return useInfiniteQuery({
    queryKey: queryKeys.securityNotices,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listSecurityNotices, { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}
