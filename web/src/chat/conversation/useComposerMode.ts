import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../context/chatContext.ts';
import type { MessageExtras } from '@nolo/client/chat/ports';
import { toast } from '../../ui/toasts.ts';

/** Mode of the composer: a new message, an edit, or a reply. */
export interface ComposerMode {
  /** Message being edited. */
  edited: Message | null;
  /** Message being replied to. */
  replyTo: Message | null;
  /** True while an edit is being saved. */
  busy: boolean;
  edit: (message: Message) => void;
  reply: (message: Message) => void;
  /** Returns to composing a new message. */
  end: () => void;
  /** Resolves to true if the edit is stored. */
  save: (content: string, extras: MessageExtras) => Promise<boolean>;
}

export function useComposerMode(): ComposerMode {
  const { t } = useTranslation();
  const { engine } = useChat();
  const [subject, setSubject] = useState<{ edited?: Message; replyTo?: Message }>({});
  const [busy, setBusy] = useState(false);
  const { edited = null, replyTo = null } = subject;
  return {
    edited,
    replyTo,
    busy,
    edit: (message) => setSubject({ edited: message }),
    reply: (message) => setSubject({ replyTo: message }),
    end: () => setSubject({}),
    async save(content, extras) {
      if (!edited || busy) return false;
      setBusy(true);
      try {
        if (content !== edited.content) await engine.edit(edited.id, content, extras);
        setSubject({});
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
