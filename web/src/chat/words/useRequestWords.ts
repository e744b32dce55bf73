import type { UseTranslationResponse } from 'react-i18next';
import { useMessageWords } from './useMessageWords.ts';
import { addWords } from '../../i18n/i18n.ts';
import { enRequests } from './enRequests.ts';

/** Returns the app's texts together with those for requests, which load with the calling component. */
export function useRequestWords(): UseTranslationResponse<'app', undefined> {
  const translation = useMessageWords();
  addWords(translation.i18n, 'requests', enRequests);
  return translation;
}
