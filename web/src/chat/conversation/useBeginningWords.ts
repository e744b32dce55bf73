import type { Conversation } from '@nolo/api';
import { useTranslation } from 'react-i18next';

/** What stands before the first message that is shown: whether it is the first at all, or what was before is not shown. */
export function useBeginningWords({ type, clearedSeq }: Conversation, name: string): string {
  const { t } = useTranslation();
  if (type === 'meeting') return t('conversation.chatBeginning');
  if (clearedSeq > 0) return t('conversation.notShown');
  return t(type === 'group' ? 'conversation.group.beginning' : 'conversation.beginning', { name });
}
