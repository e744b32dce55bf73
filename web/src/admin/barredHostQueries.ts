import type { BarredHost, BodyInput } from '@nolo/api';
import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { withProof } from '../account/proof.ts';
import { call, callPage } from '../api/httpClient.ts';
import { adminKey, useAttempt } from './adminQueries.ts';

const hostsKey = [...adminKey, 'barred hosts'];

/** Hosts that are barred, by name, page by page; those with something in their name where that is asked for. */
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

/** Each says itself where it did not work. */
export function useBarredHostDeeds() {
  const attempt = useAttempt();
  const queryClient = useQueryClient();
  const told = async <T>(deed: () => Promise<T>): Promise<T | undefined> => {
    const done = await attempt(deed);
    await queryClient.invalidateQueries({ queryKey: hostsKey });
    return done;
  };
  return {
    /** @returns those of which it is new; undefined where it did not work */
    bar: (body: BodyInput<typeof routes.barHosts>): Promise<BarredHost[] | undefined> =>
      told(() => call(routes.barHosts, { body })),
    /** @returns whether it was done */
    unbar: async (host: string, reason: string): Promise<boolean> =>
      (await told(async () => {
        await call(routes.unbarHost, { body: { host, reason } });
        return true;
      })) ?? false,
  };
}
