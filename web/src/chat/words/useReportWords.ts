import type { UseTranslationResponse } from 'react-i18next';
import { addWords } from '../../i18n/i18n.ts';
import { enReport } from './enReport.ts';
import { useMessageWords } from './useMessageWords.ts';

/** Returns the app's texts together with those for reports. */
export function useReportWords(): UseTranslationResponse<'app', undefined> {
  const translation = useMessageWords();
  addWords(translation.i18n, 'report', enReport);
  return translation;
}
