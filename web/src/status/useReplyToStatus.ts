import type { StatusAuthor, StatusUpdate } from '@nolo/api';
import { routes } from '@nolo/api';
import { useState } from 'react';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { toStatusQuote } from '@nolo/client/chat/statusQuote';
import { useStatusWords } from './useStatusWords.ts';

/** Replies to a status update with a message that quotes it, in the conversation with its author. */
export function useReplyToStatus(status: StatusUpdate, author: StatusAuthor) {
  const { t, i18n } = useStatusWords();
  const { engine } = useChat();
  const [sending, setSending] = useState(false);
  /** Resolves to true if the reply is being sent. In a known conversation, it may also wait for the connection. */
  const reply = async (words: string): Promise<boolean> => {
    setSending(true);
    try {
      const { conversations } = engine.store.getState();
      let id = Object.values(conversations).find(({ otherUser }) => otherUser?.id === author.id)?.id;
      if (id === undefined) {
        const conversation = await call(routes.startConversation, { body: { otherUserId: author.id } });
        engine.addConversation(conversation);
        id = conversation.id;
      }
      engine.send(id, words, { extra: { status: toStatusQuote(status) } });
      toast({ kind: 'success', title: t('status.viewer.sent', { name: author.displayName }) });
      return true;
    } catch (error) {
      showFailure({ title: t('status.viewer.sendFailed'), description: explainFailure(i18n, error) });
      return false;
    } finally {
      setSending(false);
    }
  };
  return { reply, sending };
}
