import { ApiError } from '../../api/httpClient.ts';
import { useFailureWords } from '../../i18n/useFailureWords.ts';
import { useGroupsWords } from './useGroupsWords.ts';

/** Why something about a group was refused, in the words of groups where they have any. */
export function useGroupFailureWords(): (error: unknown, own?: string) => string {
  const { t, i18n } = useGroupsWords();
  const words = useFailureWords();
  return (error, own) => {
    const key = error instanceof ApiError ? `groups.refusals.${error.code}` : '';
    // The key is made of what the server sent, so its type cannot be known; `exists` asks for it.
    return i18n.exists(key) ? t(key as 'groups.refusals.banned') : words(error, own);
  };
}
