import { ApiError } from '../../api/httpClient.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useTexts } from '../../i18n/texts.ts';
import { groupCallsTexts } from './groupCallsTexts.ts';

/** Explains why a group action failed, with group-specific text if there is one. */
export function useGroupFailureWords(): (error: unknown, own?: string) => string {
  const { t, i18n } = useTexts(groupCallsTexts);
  const words = useExplainFailure();
  return (error, own) => {
    const key = error instanceof ApiError ? `groupCalls:refusals.${error.code}` : '';
    // The key comes from the server, so its type is unknown. `exists` checks it.
    return i18n.exists(key) ? t(key as 'groupCalls:refusals.banned') : words(error, own);
  };
}
