import type { UseTranslationResponse } from 'react-i18next';
import { enBillingAdmin } from './enBillingAdmin.ts';
import { addWords } from '../../i18n/i18n.ts';
import { useBillingWords } from '../useBillingWords.ts';

/** The words of billing together with those that only operators read. */
export function useAdminWords(): UseTranslationResponse<'app', undefined> {
  const translation = useBillingWords();
  addWords(translation.i18n, 'billingAdmin', enBillingAdmin);
  return translation;
}
