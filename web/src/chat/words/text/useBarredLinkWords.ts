import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { addWords } from '../../../i18n/i18n.ts';
import { enBarred } from './enBarred.ts';

/** Returns the app's texts together with those for blocked links. */
export function useBarredLinkWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'barred', enBarred);
  return translation;
}
