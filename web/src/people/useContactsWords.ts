import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enContacts } from './enContacts.ts';
import { addWords } from '../i18n/i18n.ts';

/** Returns the app's texts together with those for contacts, which load with the calling component. */
export function useContactsWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'contacts', enContacts);
  return translation;
}
