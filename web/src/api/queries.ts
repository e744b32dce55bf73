import type { Contact } from '@nolo/api';
import { routes } from '@nolo/api';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { limits } from '@nolo/rules';
import type { Page } from './httpClient.ts';
import { call, callPage } from './httpClient.ts';

/** What the server was asked about people and devices. Conversations are the chat engine's, oneself is session/self.ts. */
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

type ContactPage = Page<Contact[]>;

/** How the contacts whose name or number holds the search are asked for, page by page. */
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
    // Shown at once from the cache and then asked again: presence and names change while nobody looks.
    staleTime: 0,
    // While the next search is on its way the list keeps what it shows.
    placeholderData: keepPreviousData,
  });
}

const contactPageSize = 100;

/** Everyone one has blocked, page by page. */
export function useBlocked() {
  return useInfiniteQuery({
    queryKey: queryKeys.blocked,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listBlocked, {
        query: { limit: limits.contactsPerPage, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** The devices that are signed in. */
export function useSessions() {
  return useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => call(routes.listSessions, { signal }),
    // The list is looked at rarely and must be true when it is.
    staleTime: 0,
  });
}

/** Bytes of files that the account keeps, and how many it may. */
export function useStorage() {
  return useQuery({
    queryKey: queryKeys.storage,
    queryFn: ({ signal }) => call(routes.getStorage, { signal }),
    staleTime: 0,
  });
}

/** Seconds of voice notes that were written down in this month, and how many may be; asked only where that exists. */
export function useTranscriptionUsage(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.transcription,
    queryFn: ({ signal }) => call(routes.getTranscription, { signal }),
    staleTime: 0,
    enabled,
  });
}

/** The ways to sign in to the account. */
export function useIdentities() {
  return useQuery({
    queryKey: queryKeys.identities,
    queryFn: ({ signal }) => call(routes.listIdentities, { signal }),
    staleTime: 0,
  });
}

/** Two-step verification of the account. */
export function useSecondFactor() {
  return useQuery({
    queryKey: queryKeys.secondFactor,
    queryFn: ({ signal }) => call(routes.getSecondFactor, { signal }),
    staleTime: 0,
  });
}

/** Sign-ins and changes of how one signs in, page by page. */
export function useSecurityNotices() {
  return useInfiniteQuery({
    queryKey: queryKeys.securityNotices,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listSecurityNotices, { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}
