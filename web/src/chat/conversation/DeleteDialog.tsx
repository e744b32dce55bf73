import type { Message } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { useChat } from '../context/chatContext.ts';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

/** Asks before messages are erased for everyone. */
export function DeleteDialog({ messages, onClose }: { messages: readonly Message[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { engine } = useChat();
  const count = messages.length;
  const remove = async (): Promise<void> => {
    let failed = 0;
    // One after the other: what is refused for one need not stand in the way of the others.
    for (const { id } of messages) await engine.remove(id).catch(() => (failed += 1));
    if (failed > 0) {
      const title =
        count === 1 ? t('conversation.deleteFailed') : t('messages.selection.deleteFailed', { count: failed });
      toast({ kind: 'error', title });
    } else if (count > 1) toast({ kind: 'success', title: t('messages.selection.deleted', { count }) });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={count === 1 ? t('conversation.deleteTitle') : t('messages.selection.deleteTitle', { count })}
      text={count === 1 ? t('conversation.deleteText') : t('messages.selection.deleteText')}
      confirmLabel={t('common.delete')}
      onConfirm={remove}
    />
  );
}
