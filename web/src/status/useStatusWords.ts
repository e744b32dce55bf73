import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { enStatus } from './enStatus.ts';
import { addWords } from '../i18n/i18n.ts';

/** The app's words together with those of status updates, which came over the line with whoever asks. */
export function useStatusWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'status', enStatus);
  return translation;
}
