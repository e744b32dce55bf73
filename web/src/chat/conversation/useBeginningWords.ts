import type { Conversation } from '@nolo/api';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Returns the text above the first shown message: whether it is the very first, or earlier ones are not shown. */
export function useBeginningWords({ type, clearedSeq }: Conversation, name: string): string {
  const { t } = useTexts(conversationTexts);
  if (type === 'meeting') return t('conversation:chatBeginning');
  if (clearedSeq > 0) return t('conversation:notShown');
  return t(type === 'group' ? 'conversation:group.beginning' : 'conversation:beginning', { name });
}
