import type { Billing, Order } from '@nolo/api';
import { routes } from '@nolo/api';
import type { QueryClient } from '@tanstack/react-query';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, callPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { planKey } from '../session/plan.ts';

export const billingKey = ['billing'] as const;
export const teamKey = [...billingKey, 'team'];

export function keepBilling(client: QueryClient, billing: Billing): void {
  client.setQueryData(planKey, billing);
}

/** Asks again for all that a plan changes: itself, and how far storage and transcription go. */
export async function refreshPlan(client: QueryClient): Promise<void> {
  const queryKeysOfPlan = [billingKey, queryKeys.storage, queryKeys.transcription];
  await Promise.all(queryKeysOfPlan.map((queryKey) => client.invalidateQueries({ queryKey })));
}

const ordersPerPage = 10;

/** One's orders, newest first. */
export function useOrders() {
  return useInfiniteQuery({
    queryKey: [...billingKey, 'orders'],
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

export const orderKey = (id: string) => [...billingKey, 'order', id];

/** Asks the gateway itself, which may know of a payment that it has not told yet; then what has become of the order. */
export async function askGateway(id: string, signal?: AbortSignal): Promise<Order> {
  const options = signal === undefined ? {} : { signal };
  await call(routes.validatePayFast, { body: { paymentId: id }, ...options, timeoutMs: 30_000 }).catch(() => undefined);
  return call(routes.getOrder, { params: { id }, ...options });
}

/** The team whose seats one bought, or in which one has one. */
export function useTeam() {
  return useQuery({ queryKey: teamKey, queryFn: ({ signal }) => call(routes.getTeam, { signal }), staleTime: 0 });
}
