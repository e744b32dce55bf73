import { ApiError } from '../../api/httpClient.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useGroupsWords } from './useGroupsWords.ts';

/** Explains why a group action failed, with group-specific text if there is one. */
export function useGroupFailureWords(): (error: unknown, own?: string) => string {
  const { t, i18n } = useGroupsWords();
  const words = useExplainFailure();
  return (error, own) => {
    const key = error instanceof ApiError ? `groups.refusals.${error.code}` : '';
    // The key comes from the server, so its type is unknown. `exists` checks it.
    return i18n.exists(key) ? t(key as 'groups.refusals.banned') : words(error, own);
  };
}
