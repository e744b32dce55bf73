import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useChat } from '../context/chatContext.ts';
import type { MessageExtras } from '@nolo/client/chat/ports';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

export type ComposerMode = ReturnType<typeof useComposerMode>;

/** Mode of the composer: a new message, an edit, or a reply. */
export function useComposerMode() {
  const { t } = useTexts(conversationTexts);
  const { engine } = useChat();
  const [subject, setSubject] = useState<{ edited?: Message; replyTo?: Message }>({});
  const { edited = null, replyTo = null } = subject;
  const { run, busy } = useAction(
    async ([message, content, extras]: [Message, string, MessageExtras]) => {
      if (content !== message.content) await engine.edit(message.id, content, extras, message);
    },
    { failure: () => ({ title: t('conversation:editFailed') }), onDone: () => setSubject({}) },
  );
  return {
    edited,
    replyTo,
    busy,
    edit: (message: Message) => setSubject({ edited: message }),
    reply: (message: Message) => setSubject({ replyTo: message }),
    /** Returns to composing a new message. */
    end: () => setSubject({}),
    /** Resolves to true if the edit is stored. */
    async save(content: string, extras: MessageExtras): Promise<boolean> {
      return edited !== null && !busy && (await run([edited, content, extras])) !== undefined;
    },
  };
}
