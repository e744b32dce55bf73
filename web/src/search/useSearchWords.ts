import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enSearch } from './enSearch.ts';

/** The app's words together with those for searching, which came over the line with whoever asks. */
export function useSearchWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'search', enSearch);
  return translation;
}
