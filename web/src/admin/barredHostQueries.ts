import type { BarredHost, RouteBodyInput } from '@nolo/api';
import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { withProof } from '../api/proof.ts';
import { call, callPage } from '../api/httpClient.ts';
import { adminQueryKey, useActionRunner } from './adminQueries.ts';

const hostsKey = [...adminQueryKey, 'barred hosts'];

/** Lists barred hosts by name, page by page, optionally only those that contain a text. */
export function useBarredHosts(q: string) {
  return useInfiniteQuery({
    queryKey: [...hostsKey, q],
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listBarredHosts, {
          query: { ...(q !== '' && { q }), ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Barred host actions; each shows its own error. */
export function useBarredHostActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  const attemptAndRefresh = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    const done = await attempt(action);
    await queryClient.invalidateQueries({ queryKey: hostsKey });
    return done;
  };
  return {
    /** @returns the newly barred hosts; undefined if it failed */
    bar: (body: RouteBodyInput<typeof routes.barHosts>): Promise<BarredHost[] | undefined> =>
      attemptAndRefresh(() => call(routes.barHosts, { body })),
    /** @returns true if it was done */
    unbar: async (host: string, reason: string): Promise<boolean> =>
      (await attemptAndRefresh(async () => {
        await call(routes.unbarHost, { body: { host, reason } });
        return true;
      })) ?? false,
  };
}
