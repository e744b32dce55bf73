import { HeldError } from '@nolo/client/chat/heldError';
import { ApiError } from '../../api/httpClient.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useTexts } from '../../i18n/texts.ts';
import { groupCallsTexts } from './groupCallsTexts.ts';

/** Returns the code of a refusal. Without keys, this device can sign no change of an encrypted group. */
const codeOf = (error: ApiError | HeldError): string =>
  error instanceof HeldError && error.state.state === 'blocked' && error.state.reason === 'keys'
    ? 'no_keys'
    : error.code;

/** Explains why a group action failed, with group-specific text if there is one. */
export function useGroupFailureWords(): (error: unknown, own?: string) => string {
  const { t, i18n } = useTexts(groupCallsTexts);
  const words = useExplainFailure();
  return (error, own) => {
    const key = error instanceof ApiError || error instanceof HeldError ? `groupCalls:refusals.${codeOf(error)}` : '';
    // The key comes from the server, so its type is unknown. `exists` checks it.
    return i18n.exists(key) ? t(key as 'groupCalls:refusals.banned') : words(error, own);
  };
}
