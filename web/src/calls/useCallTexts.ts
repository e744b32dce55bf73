import { useTranslation } from 'react-i18next';
import { addWords } from '../i18n/i18n.ts';
import { enCalls } from './enCalls.ts';

/** Returns the translations with the texts of calls, which are loaded with this section. */
export function useCallTexts() {
  const translation = useTranslation();
  // Runs before the first text is used; repeating it has no effect.
  addWords(translation.i18n, 'calls', enCalls);
  return translation;
}
