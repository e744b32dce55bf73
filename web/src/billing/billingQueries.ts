import { routes, type Order } from '@nolo/api';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';

export const billingQueryKey = ['billing'] as const;
const teamQueryKey = [...billingQueryKey, 'team'];

/** Everything that a plan affects: the plan, and the limits of storage and transcription. */
export const planQueryKeys = [billingQueryKey, queryKeys.storage, queryKeys.transcription];

export async function refreshPlan(client: QueryClient): Promise<void> {
  await Promise.all(planQueryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
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
