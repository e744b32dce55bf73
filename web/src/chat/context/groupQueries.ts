import { routes, type GroupInvitation, type OwnJoinRequest } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { featureStore } from '../../session/features.ts';
import { useOnReconnect } from './chatContext.ts';

const none: readonly never[] = [];

/** Keys of server data about groups. Their conversations belong to the chat engine. */
export const groupKeys = {
  all: ['groups'],
  list: ['groups', 'list'],
  invitations: ['groups', 'invitations'],
  ownRequests: ['groups', 'own-requests'],
  one: (id: string) => ['groups', id],
  preview: (code: string) => ['groups', 'preview', code],
  info: (id: string) => ['groups', id, 'info'],
  members: (id: string) => ['groups', id, 'members'],
  requests: (id: string) => ['groups', id, 'requests'],
  invited: (id: string) => ['groups', id, 'invited'],
  bans: (id: string) => ['groups', id, 'bans'],
  unapprovedMessages: (id: string) => ['groups', id, 'unapproved'],
} as const;

/** Refetches visible data once the connection is back, because it may have changed meanwhile. */
export function useRefetchOnReconnect(queryKey: readonly string[]): void {
  const queryClient = useQueryClient();
  useOnReconnect(() => void queryClient.invalidateQueries({ queryKey }));
}

/** Queries what belongs to groups, and refetches it once the connection is back. */
export function useGroupQuery<Data>(
  queryKey: readonly string[],
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>,
  { enabled = true, staleTime = 0 } = {},
) {
  useRefetchOnReconnect(queryKey);
  return useQuery({ queryKey, queryFn, enabled, staleTime });
}

/** Options of lists that events keep up to date. */
function useLiveOptions() {
  const enabled = useStore(featureStore, (state) => state.features['groups'] === true);
  return { enabled, staleTime: Number.POSITIVE_INFINITY };
}

/** Lists the groups that the user asked to join and that have not answered. */
export const useOwnJoinRequests = (): readonly OwnJoinRequest[] =>
  useGroupQuery(groupKeys.ownRequests, ({ signal }) => call(routes.listOwnJoinRequests, { signal }), useLiveOptions())
    .data ?? none;

export const useGroupInvitations = (): readonly GroupInvitation[] =>
  useGroupQuery(groupKeys.invitations, ({ signal }) => call(routes.listGroupInvitations, { signal }), useLiveOptions())
    .data ?? none;
