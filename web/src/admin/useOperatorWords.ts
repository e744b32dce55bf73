import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enAdmin } from './enAdmin.ts';

/** Returns the app's texts together with those of this section. */
export function useOperatorWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'admin', enAdmin);
  return translation;
}
