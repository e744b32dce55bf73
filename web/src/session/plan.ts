import { routes } from '@nolo/api';
import { allowanceOf, limits } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { configStore } from './config.ts';
import { useSells } from './useSells.ts';

export const planKey = ['billing', 'plan'] as const;

/** One's plan, what comes after it and how much of it is used. */
export function useBilling(enabled = true) {
  return useQuery({
    queryKey: planKey,
    queryFn: ({ signal }) => {
      // What is counted by the month is counted in the person's own.
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(routes.getBilling, { query: { timeZone }, signal });
    },
    // Paid for in another window, or ended meanwhile.
    staleTime: 0,
    refetchOnWindowFocus: true,
    enabled,
  });
}

/** How many people one's own meetings take, and whether the plan is what limits them (decision 21). */
export function useMeetingSeats(): { most: number; byPlan: boolean } {
  const { data: billing } = useBilling(useSells());
  const installed = useStore(configStore, ({ config }) => config?.limits['meetingParticipantsMax']);
  const most = Math.min(limits.meetingParticipantsMax, installed ?? Infinity);
  const allowed = (billing && allowanceOf(billing.plan).participants) ?? Infinity;
  return allowed < most ? { most: allowed, byPlan: true } : { most, byPlan: false };
}
