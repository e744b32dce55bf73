import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { enSocial } from './enSocial.ts';
import { addWords } from '../i18n/i18n.ts';

/** The app's words together with those of social posts, which came over the line with whoever asks. */
export function useSocialWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'social', enSocial);
  return translation;
}
