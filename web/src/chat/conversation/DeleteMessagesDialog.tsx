import type { Message } from '@nolo/api';
import { useChat } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export interface DeleteMessagesDialogProps {
  messages: readonly Message[];
  /** True to delete from the user's own devices only. */
  forMe: boolean;
  onClose: () => void;
}

/** Confirms before messages are erased for everyone, or hidden from the user. */
export function DeleteMessagesDialog({ messages, forMe, onClose }: DeleteMessagesDialogProps) {
  const { t } = useTexts(conversationTexts, messagesTexts);
  const { engine } = useChat();
  const count = messages.length;
  const remove = async (): Promise<void> => {
    let failed = 0;
    // Deletes one after another: a refusal of one need not block the others.
    for (const { id } of messages) {
      const removing = forMe ? getConversationActions(engine).hide(id) : engine.remove(id);
      await removing.catch(() => (failed += 1));
    }
    if (failed > 0) {
      const title =
        count === 1 ? t('conversation:deleteFailed') : t('messages:selection.deleteFailed', { count: failed });
      showFailure({ title });
      // The dialog stays open, so that a single failed deletion can be retried.
      if (count === 1) return;
    } else if (count > 1) toast({ kind: 'success', title: t('messages:selection.deleted', { count }) });
    onClose();
  };
  const words = forMe
    ? {
        title: count === 1 ? t('conversation:hideTitle') : t('messages:selection.hideTitle', { count }),
        text: count === 1 ? t('conversation:hideText') : t('messages:selection.hideText'),
      }
    : {
        title: count === 1 ? t('conversation:deleteTitle') : t('messages:selection.deleteTitle', { count }),
        text: count === 1 ? t('conversation:deleteText') : t('messages:selection.deleteText'),
      };
  return <ConfirmDialog open onCancel={onClose} {...words} confirmLabel={t('common.delete')} onConfirm={remove} />;
}
