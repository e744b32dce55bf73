import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enDeveloper } from './enDeveloper.ts';

/** Returns the app's texts together with those of this room. */
export function useDeveloperWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'developer', enDeveloper);
  return translation;
}
