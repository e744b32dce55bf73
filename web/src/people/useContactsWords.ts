import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { enContacts } from './enContacts.ts';
import { addWords } from '../i18n/i18n.ts';

/** The app's words together with those of contacts, which came over the line with whoever asks. */
export function useContactsWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'contacts', enContacts);
  return translation;
}
