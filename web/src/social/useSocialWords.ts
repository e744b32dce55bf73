import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enSocial } from './enSocial.ts';
import { addWords } from '../i18n/i18n.ts';

/** Returns the app's texts together with those for social posts, which load with the calling component. */
export function useSocialWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'social', enSocial);
  return translation;
}
