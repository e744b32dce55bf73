import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enStatus } from './enStatus.ts';
import { addWords } from '../i18n/i18n.ts';

/** Returns the app's texts together with those for status updates, which load with the calling component. */
export function useStatusWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'status', enStatus);
  return translation;
}
