import { routes, type Order } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { ApiError, call } from '../api/httpClient.ts';
import { useAction } from '../ui/useAction.ts';
import { checkOrderPayment, toOrderQueryKey, refreshPlan } from './billingQueries.ts';
import { getPollIntervalMs, longWaitMs, toOrderProgress } from './model/orderProgress.ts';

/**
 * Polls an order until it is paid or over. Returning to a page never activates a plan: only the server's state of the
 * order counts (decision 31). @param begin gets the first answer.
 */
export function useOrderWait(
  id: string,
  begin: (id: string, signal: AbortSignal) => Promise<Order> = checkOrderPayment,
) {
  const queryClient = useQueryClient();
  const [since] = useState(() => serverNow());
  const [long, setLong] = useState(false);
  const { data: order, error } = useQuery({
    queryKey: toOrderQueryKey(id),
    queryFn: ({ signal }) =>
      queryClient.getQueryData(toOrderQueryKey(id)) === undefined
        ? begin(id, signal)
        : call(routes.getOrder, { params: { id }, signal }),
    enabled: id !== '',
    staleTime: 0,
    refetchOnWindowFocus: true,
    // Polling continues in the background, because the user pays in another window.
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, error: failure } }) => {
      if (failure instanceof ApiError && !failure.passing) return false;
      return data === undefined || toOrderProgress(data.state) === 'waiting'
        ? getPollIntervalMs(serverNow() - since)
        : false;
    },
  });
  const progress = order && toOrderProgress(order.state);

  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longWaitMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (progress !== undefined && progress !== 'waiting') void refreshPlan(queryClient);
  }, [progress, queryClient]);

  // The next poll tries again, so a failure shows nothing.
  const refresh = useAction(() => checkOrderPayment(id), {
    failure: () => undefined,
    onDone: (found) => queryClient.setQueryData(toOrderQueryKey(id), found),
  });
  return {
    order,
    progress,
    /** True if the wait is too long to leave the user without an alternative. */
    long,
    error: order === undefined ? error : null,
    isRefreshing: refresh.busy,
    /** Queries the gateway itself. */
    refresh: () => void refresh.run(),
  };
}

export type OrderWait = ReturnType<typeof useOrderWait>;
