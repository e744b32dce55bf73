import type { Billing, Order } from '@nolo/api';
import { routes } from '@nolo/api';
import type { QueryClient } from '@tanstack/react-query';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, callPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { planQueryKey } from '../session/plan.ts';

export const billingQueryKey = ['billing'] as const;
export const teamQueryKey = [...billingQueryKey, 'team'];

export function cacheBilling(client: QueryClient, billing: Billing): void {
  client.setQueryData(planQueryKey, billing);
}

/** Refetches everything that a plan affects: the plan, and the limits of storage and transcription. */
export async function refreshPlan(client: QueryClient): Promise<void> {
  const queryKeysOfPlan = [billingQueryKey, queryKeys.storage, queryKeys.transcription];
  await Promise.all(queryKeysOfPlan.map((queryKey) => client.invalidateQueries({ queryKey })));
}

const ordersPerPage = 10;

/** Lists the user's orders, newest first. */
export function useOrders() {
  return useInfiniteQuery({
    queryKey: [...billingQueryKey, 'orders'],
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listOrders, {
        query: { limit: ordersPerPage, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export const toOrderQueryKey = (id: string) => [...billingQueryKey, 'order', id];

/**
 * Makes the server query the gateway, which may have a payment that it has not notified yet. Returns the order's new
 * state.
 */
export async function checkOrderPayment(id: string, signal?: AbortSignal): Promise<Order> {
  const options = signal === undefined ? {} : { signal };
  await call(routes.validatePayFast, { body: { paymentId: id }, ...options, timeoutMs: 30_000 }).catch(() => undefined);
  return call(routes.getOrder, { params: { id }, ...options });
}

/** Returns the team whose seats the user bought, or in which the user has one. */
export function useTeam() {
  return useQuery({ queryKey: teamQueryKey, queryFn: ({ signal }) => call(routes.getTeam, { signal }), staleTime: 0 });
}
