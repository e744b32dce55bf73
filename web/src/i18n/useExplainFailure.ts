import { ApiError } from '../api/request.ts';
import { explainFailure, explainServerError } from './explainFailure.ts';
import { useTexts } from './texts.ts';

/** Explains why a change failed. `own` replaces every text except those for the server's rejections. */
export function useExplainFailure(): (error: unknown, own?: string) => string {
  const { i18n } = useTexts();
  return (error, own) => {
    if (own === undefined) return explainFailure(i18n, error);
    return (
      (error instanceof ApiError && (error.status === 429 || !error.passing) && explainServerError(i18n, error)) || own
    );
  };
}
