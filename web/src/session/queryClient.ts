import { QueryClient } from '@tanstack/react-query';

/**
 * The specification's defaults (section 7): no retries, no polling, nothing goes stale by itself. Without a network a
 * question fails at once and is said to, rather than looking busy until there is one.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
