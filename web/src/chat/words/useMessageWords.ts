import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { enConversation } from './enConversation.ts';
import { enMessages } from './enMessages.ts';
import { addWords } from '../../i18n/i18n.ts';

/** The app's words together with those for conversations and messages, which came over the line with whoever asks. */
export function useMessageWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'conversation', enConversation);
  addWords(translation.i18n, 'messages', enMessages);
  return translation;
}
