import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the client with the specification's defaults (section 7): no retries, no polling, nothing becomes stale by
 * itself. Offline queries fail immediately with an error, rather than appearing busy until reconnected.
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
