import { startTransition, useOptimistic } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';

/**
 * The query of the address, and what replaces it. The router shows a new address once the page has time for it; here it
 * counts at once, or a field would take back what is typed, and a filter that is chosen meanwhile would forget it.
 */
export function useQuery(): [URLSearchParams, (entries: Record<string, string>) => void] {
  const [shown] = useSearchParams();
  const [query, foresee] = useOptimistic(shown);
  const navigate = useNavigate();
  const change = (entries: Record<string, string>): void => {
    const next = new URLSearchParams(entries);
    startTransition(async () => {
      foresee(next);
      await navigate({ search: next.toString() }, { replace: true });
    });
  };
  return [query, change];
}
