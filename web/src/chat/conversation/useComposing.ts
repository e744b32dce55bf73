import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../context/chatContext.ts';
import type { MessageExtras } from '../engine/ports.ts';
import { toast } from '../../ui/toasts.ts';

/** What the composer is for right now, besides a new message: a change to one, or an answer. */
export interface Composing {
  /** The message that is being changed. */
  edited: Message | null;
  /** The message that is being answered. */
  replyTo: Message | null;
  /** A change is on its way. */
  busy: boolean;
  edit: (message: Message) => void;
  reply: (message: Message) => void;
  /** Back to an ordinary new message. */
  end: () => void;
  /** Answers whether the change is stored. */
  save: (content: string, extras: MessageExtras) => Promise<boolean>;
}

export function useComposing(): Composing {
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
