import { startTransition, useOptimistic } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';

/**
 * Returns the query in the address, and a function that replaces it. The router updates the address late. Here, a
 * change takes effect immediately. Otherwise, a field would revert typed text, and a filter chosen meanwhile would lose
 * it.
 */
export function useOptimisticSearchParams(): [URLSearchParams, (entries: Record<string, string>) => void] {
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
