import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/request.ts';
import { failureWords, serverWords } from './serverWords.ts';

/** Why a change failed. Where what failed has words of its own, they stand for all but the server's refusals. */
export function useFailureWords(): (error: unknown, own?: string) => string {
  const { i18n } = useTranslation();
  return (error, own) => {
    if (own === undefined) return failureWords(i18n, error);
    return (error instanceof ApiError && (error.status === 429 || !error.passing) && serverWords(i18n, error)) || own;
  };
}
