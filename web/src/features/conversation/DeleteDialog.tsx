import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../app/chatContext.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../ui/Dialog.tsx';

/** Asks before a message is erased for everyone. */
export function DeleteDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation();
  const { engine } = useChat();
  const [busy, setBusy] = useState(false);
  const remove = () => {
    setBusy(true);
    engine
      .remove(message.id)
      .catch(() => toast({ kind: 'error', title: t('conversation.deleteFailed') }))
      .finally(onClose);
  };
  return (
    <Dialog
      open
      role="alert"
      size="small"
      onOpenChange={onClose}
      title={t('conversation.deleteTitle')}
      description={t('conversation.deleteText')}
      footer={
        <>
          <DialogClose>
            <Button kind="secondary">{t('common.cancel')}</Button>
          </DialogClose>
          <Button kind="danger" busy={busy} onClick={remove}>
            {t('common.delete')}
          </Button>
        </>
      }
    />
  );
}
