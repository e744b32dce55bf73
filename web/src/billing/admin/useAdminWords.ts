import type { UseTranslationResponse } from 'react-i18next';
import { enBillingAdmin } from './enBillingAdmin.ts';
import { addWords } from '../../i18n/i18n.ts';
import { useBillingWords } from '../useBillingWords.ts';

/** Returns the texts of billing together with those for operators. */
export function useAdminWords(): UseTranslationResponse<'app', undefined> {
  const translation = useBillingWords();
  addWords(translation.i18n, 'billingAdmin', enBillingAdmin);
  return translation;
}
