import { useTranslation } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enCalls } from './enCalls.ts';

/** The translations with the words of calls, which come with this part of the app. */
export function useCallTexts() {
  const translation = useTranslation();
  // Before the first sentence is asked for; a second time adds nothing.
  addWords(translation.i18n, 'calls', enCalls);
  return translation;
}
