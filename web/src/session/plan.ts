import { routes } from '@nolo/api';
import { allowanceOf, limits } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { configStore } from './config.ts';
import { useArePlansSold } from './useArePlansSold.ts';

export const planQueryKey = ['billing', 'plan'] as const;

/** Loads the user's plan, the next one, and their usage. */
export function useBilling(enabled = true) {
  return useQuery({
    queryKey: planQueryKey,
    queryFn: ({ signal }) => {
      // Monthly usage follows the user's time zone.
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(routes.getBilling, { query: { timeZone }, signal });
    },
    // The plan may be paid in another window, or end meanwhile.
    staleTime: 0,
    refetchOnWindowFocus: true,
    enabled,
  });
}

/** Returns the maximum participants of the user's meetings, and whether the plan sets the limit (decision 21). */
export function useMeetingCapacity(): { maxPeople: number; byPlan: boolean } {
  const { data: billing } = useBilling(useArePlansSold());
  const installed = useStore(configStore, ({ config }) => config?.limits['meetingParticipantsMax']);
  const maxPeople = Math.min(limits.meetingParticipantsMax, installed ?? Infinity);
  const allowed = (billing && allowanceOf(billing.plan).participants) ?? Infinity;
  return allowed < maxPeople ? { maxPeople: allowed, byPlan: true } : { maxPeople, byPlan: false };
}
