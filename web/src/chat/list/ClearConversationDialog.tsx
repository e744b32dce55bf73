import type { Conversation } from '@nolo/api';
import { useNavigate, useParams } from 'react-router-dom';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { useChat } from '../context/chatContext.ts';
import { conversationName } from '../words/conversationName.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { rowsTexts } from './rowsTexts.ts';

export interface ClearConversationDialogProps {
  conversation: Conversation;
  /** True if the conversation is also removed from the list. */
  fromList: boolean;
  onClose: () => void;
}

/** Asks for confirmation before hiding the messages of a conversation from the user. */
export function ClearConversationDialog({ conversation, fromList, onClose }: ClearConversationDialogProps) {
  const { t } = useTexts(rowsTexts);
  const { engine } = useChat();
  const navigate = useNavigate();
  const { id: openId } = useParams();
  const name = conversationName(conversation, t);
  const tidying = useAction(() => getConversationActions(engine).clear(conversation.id, fromList), {
    failure: () => ({ title: t(fromList ? 'rows:deleteFailed' : 'rows:clearFailed') }),
    onDone: () => {
      // A conversation removed from the list need not stay open beside it.
      if (fromList && openId === conversation.id) void navigate('/', { replace: true });
      onClose();
    },
  });
  const clearTitle =
    conversation.type === 'direct' ? t('rows:clearTitle', { name }) : t('rows:clearGroupTitle', { name });
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={fromList ? t('rows:deleteTitle', { name }) : clearTitle}
      text={fromList ? t('rows:deleteText', { name }) : t('rows:clearText')}
      confirmLabel={t(fromList ? 'rows:delete' : 'rows:clear')}
      onConfirm={tidying.run}
    />
  );
}
