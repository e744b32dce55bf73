import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enBilling } from './enBilling.ts';
import { addWords } from '../i18n/i18n.ts';

/** Returns the app's texts together with those of plans and payments, which are loaded with the calling code. */
export function useBillingWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'billing', enBilling);
  return translation;
}
