import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { toast } from '../../ui/toasts.ts';
import { useChat } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import type { JumpRequest } from './useScrollToJumpTarget.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export type JumpToMessage = (seq: number, focus?: boolean, words?: readonly string[]) => void;

/**
 * Jumps to a message of the conversation, loaded or not. Jumps immediately to the message named by a link from a list
 * or search.
 */
export function useJumpToMessage(id: string): { jump: JumpRequest | null; jumpTo: JumpToMessage } {
  const { t } = useTexts(messagesTexts);
  const { engine } = useChat();
  const location = useLocation();
  const [jump, setJump] = useState<JumpRequest | null>(null);
  const jumpTo = useCallback<JumpToMessage>(
    (seq, focus = true, words) => {
      // Set immediately: a list created for old messages begins at the target.
      setJump({ seq, focus, ...(words && { words }) });
      const fail = (title: string, description?: string): void => {
        setJump(null);
        toast({ kind: 'error', title, ...(description !== undefined && { description }) });
      };
      getConversationActions(engine)
        .reveal(id, seq)
        .then((found) => {
          if (!found) fail(t('messages:quoteGone'));
        })
        .catch(() => fail(t('messages:failed.jump'), t('messages:failed.offline')));
    },
    [engine, id, t],
  );
  const locationState = location.state as { seq?: unknown; words?: readonly string[] } | null;
  useEffect(() => {
    const { seq, words } = locationState ?? {};
    if (typeof seq !== 'number') return undefined;
    const frame = requestAnimationFrame(() => jumpTo(seq, true, words));
    return () => cancelAnimationFrame(frame);
  }, [locationState, location.key, jumpTo]);
  return { jump, jumpTo };
}
