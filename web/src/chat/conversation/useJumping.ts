import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { toast } from '../../ui/toasts.ts';
import { useChat } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import { useMessageWords } from '../words/useMessageWords.ts';
import type { Jump } from './useJumpTo.ts';

export type JumpTo = (seq: number, focus?: boolean, words?: readonly string[]) => void;

/**
 * Jumps to a message of the conversation, loaded or not. Jumps immediately to the message named by a link from a list
 * or search.
 */
export function useJumping(id: string): { jump: Jump | null; jumpTo: JumpTo } {
  const { t } = useMessageWords();
  const { engine } = useChat();
  const location = useLocation();
  const [jump, setJump] = useState<Jump | null>(null);
  const jumpTo = useCallback<JumpTo>(
    (seq, focus = true, words) => {
      // Set immediately: a list created for old messages begins at the target.
      setJump({ seq, focus, ...(words && { words }) });
      const fail = (title: string, description?: string): void => {
        setJump(null);
        toast({ kind: 'error', title, ...(description !== undefined && { description }) });
      };
      actionsOf(engine)
        .reveal(id, seq)
        .then((found) => {
          if (!found) fail(t('messages.quoteGone'));
        })
        .catch(() => fail(t('messages.failed.jump'), t('messages.failed.offline')));
    },
    [engine, id, t],
  );
  const asked = location.state as { seq?: unknown; words?: readonly string[] } | null;
  useEffect(() => {
    const { seq, words } = asked ?? {};
    if (typeof seq !== 'number') return undefined;
    const frame = requestAnimationFrame(() => jumpTo(seq, true, words));
    return () => cancelAnimationFrame(frame);
  }, [asked, location.key, jumpTo]);
  return { jump, jumpTo };
}
