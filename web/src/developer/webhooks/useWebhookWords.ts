import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { addWords } from '../../i18n/i18n.ts';
import { enWebhooks } from './enWebhooks.ts';

/** Returns the app's texts together with those for webhooks. */
export function useWebhookWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'webhooks', enWebhooks);
  return translation;
}
