import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../app/chatContext.ts';
import { toast } from '../../state/toasts.ts';

export interface Editing {
  message: Message | null;
  busy: boolean;
  begin: (message: Message) => void;
  cancel: () => void;
  /** Answers whether the change is stored. */
  save: (content: string) => Promise<boolean>;
}

/** Which message is being changed in the composer. */
export function useEditing(): Editing {
  const { t } = useTranslation();
  const { engine } = useChat();
  const [message, setMessage] = useState<Message | null>(null);
  const [busy, setBusy] = useState(false);
  return {
    message,
    busy,
    begin: setMessage,
    cancel: () => setMessage(null),
    async save(content) {
      if (!message || busy) return false;
      setBusy(true);
      try {
        if (content !== message.content) await engine.edit(message.id, content);
        setMessage(null);
        return true;
      } catch {
        toast({ kind: 'error', title: t('conversation.editFailed') });
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
