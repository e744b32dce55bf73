import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enSearch } from './enSearch.ts';

/** Returns the app's texts together with those for searching, which load with the calling component. */
export function useSearchWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'search', enSearch);
  return translation;
}
