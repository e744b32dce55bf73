import type { GroupInvitation } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { featureStore } from '../../session/features.ts';
import { groupKeys, useRefetchOnReconnect } from '../context/groupQueries.ts';

const none: readonly GroupInvitation[] = [];

/** Returns the user's unanswered group invitations. */
export function useGroupInvitations(): readonly GroupInvitation[] {
  const enabled = useStore(featureStore, (state) => state.features['groups'] === true);
  useRefetchOnReconnect(groupKeys.invitations);
  const { data } = useQuery({
    queryKey: groupKeys.invitations,
    queryFn: ({ signal }) => call(routes.listGroupInvitations, { signal }),
    // Events announce all changes.
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
  return data ?? none;
}
