import type { Order } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { ApiError, call } from '../api/httpClient.ts';
import { askGateway, orderKey, refreshPlan } from './billingQueries.ts';
import type { OrderProgress } from './model/orderProgress.ts';
import { pollIntervalMs, longWaitMs, progressOf } from './model/orderProgress.ts';

export interface OrderWait {
  order: Order | undefined;
  progress: OrderProgress | undefined;
  /** Waited for so long that nobody should have to. */
  long: boolean;
  error: unknown;
  asking: boolean;
  /** Asks the gateway itself. */
  ask: () => void;
}

/**
 * Asks for an order until it is paid or over. A plan is never there because a page was come back to: only what the server
 * says of the order counts (decision 31). @param begin how the first answer is had.
 */
export function useOrderWait(
  id: string,
  begin: (id: string, signal: AbortSignal) => Promise<Order> = askGateway,
): OrderWait {
  const queryClient = useQueryClient();
  const [since] = useState(() => serverNow());
  const [long, setLong] = useState(false);
  const [asking, setAsking] = useState(false);
  const { data: order, error } = useQuery({
    queryKey: orderKey(id),
    queryFn: ({ signal }) =>
      queryClient.getQueryData(orderKey(id)) === undefined
        ? begin(id, signal)
        : call(routes.getOrder, { params: { id }, signal }),
    enabled: id !== '',
    staleTime: 0,
    refetchOnWindowFocus: true,
    // Whoever pays in another window has this one in the background.
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, error: failure } }) => {
      if (failure instanceof ApiError && !failure.passing) return false;
      return data === undefined || progressOf(data.state) === 'waiting' ? pollIntervalMs(serverNow() - since) : false;
    },
  });
  const progress = order && progressOf(order.state);

  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longWaitMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (progress !== undefined && progress !== 'waiting') void refreshPlan(queryClient);
  }, [progress, queryClient]);

  const ask = async () => {
    setAsking(true);
    await askGateway(id)
      .then((found) => queryClient.setQueryData(orderKey(id), found))
      .catch(() => undefined);
    setAsking(false);
  };
  return { order, progress, long, error: order === undefined ? error : null, asking, ask: () => void ask() };
}
