import { routes, type User } from '@nolo/api';
import { cutText, limits } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/httpClient.ts';
import { useDebouncedValue } from './useDebouncedValue.ts';
import { showFailure } from '../ui/failures.ts';
import { useTexts } from '../i18n/texts.ts';

export interface PeopleSearch {
  people: readonly User[];
  searching: boolean;
  /** True if the list is empty because the search failed. */
  failed: boolean;
  retry: () => void;
}

const nobody: readonly User[] = [];

/** Searches people while the user types, once typing pauses (spec section 9). */
export function usePeopleSearch(text: string, enabled: boolean): PeopleSearch {
  const { t } = useTexts();
  const typed = cutText(text.trim(), limits.searchQueryLength);
  const q = useDebouncedValue(typed, limits.searchDebounceMs);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['users', 'search', q],
    queryFn: ({ signal }) => call(routes.searchUsersDebounced, { query: { q }, signal }),
    enabled: enabled && q !== '' && typed !== '',
    // People change their names, so older results are requested again.
    staleTime: 30_000,
  });
  useEffect(() => {
    if (error) showFailure({ title: t('errors.searchUsers') });
  }, [error, t]);
  const retry = () => void refetch();
  if (!enabled || typed === '') return { people: nobody, searching: false, failed: false, retry };
  // Results for fewer letters may stay while more are typed. Any others would not match the input.
  const fits = typed.startsWith(q);
  return {
    people: (fits && data) || nobody,
    searching: isFetching || q !== typed,
    failed: fits && error !== null,
    retry,
  };
}
