import { useTranslation, type UseTranslationResponse } from 'react-i18next';
import { enConversation } from './enConversation.ts';
import { enMessages } from './enMessages.ts';
import { addWords } from '../../i18n/i18n.ts';

/**
 * Returns the app's texts together with those for conversations and messages, which load with the calling component.
 */
export function useMessageWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'conversation', enConversation);
  addWords(translation.i18n, 'messages', enMessages);
  return translation;
}
