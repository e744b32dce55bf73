import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../../../i18n/i18n.ts';
import { enBarredLink } from './enBarredLink.ts';

/** Returns the app's texts together with those for blocked links. */
export function useBarredLinkWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'barredLink', enBarredLink);
  return translation;
}
