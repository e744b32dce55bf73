import type { UseTranslationResponse } from 'react-i18next';
import { useMessageWords } from './useMessageWords.ts';
import { addWords } from '../../i18n/i18n.ts';
import { enRequests } from './enRequests.ts';

/** The app's words together with those for requests, which came over the line with whoever asks. */
export function useRequestWords(): UseTranslationResponse<'app', undefined> {
  const translation = useMessageWords();
  addWords(translation.i18n, 'requests', enRequests);
  return translation;
}
