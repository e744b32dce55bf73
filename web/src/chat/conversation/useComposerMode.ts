import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../context/chatContext.ts';
import type { MessageExtras } from '@nolo/client/chat/ports';
import { useAction } from '../../ui/useAction.ts';

export interface ComposerMode {
  edited: Message | null;
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
  const { edited = null, replyTo = null } = subject;
  const { run, busy } = useAction(
    async ([message, content, extras]: [Message, string, MessageExtras]) => {
      if (content !== message.content) await engine.edit(message.id, content, extras);
    },
    { failure: () => ({ title: t('conversation.editFailed') }), onDone: () => setSubject({}) },
  );
  return {
    edited,
    replyTo,
    busy,
    edit: (message) => setSubject({ edited: message }),
    reply: (message) => setSubject({ replyTo: message }),
    end: () => setSubject({}),
    async save(content, extras) {
      return edited !== null && !busy && (await run([edited, content, extras])) !== undefined;
    },
  };
}
