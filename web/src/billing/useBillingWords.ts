import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { enBilling } from './enBilling.ts';
import { addWords } from '../i18n/i18n.ts';

/** The app's words together with those of plans and payments, which came over the line with whoever asks. */
export function useBillingWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'billing', enBilling);
  return translation;
}
