import type { Conversation, Message } from '@nolo/api';
import { useEffect, useRef, useState } from 'react';
import { useChat } from '../context/chatContext.ts';
import { isUnconfirmed } from '../words/confirmation.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { isBeingOpened } from '@nolo/client/chat/sealedRows';
import { rowNoteOf } from '../words/rowNotes.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Milliseconds, long enough for a screen reader to announce it, too short for users to encounter it twice. */
const keepMs = 1_000;

/**
 * Announces new messages, each once. The list itself is not a live region: scrolling through the history would announce
 * all of it.
 */
export function MessageAnnouncer({
  conversation,
  messages,
}: {
  conversation: Conversation;
  messages: readonly Message[];
}) {
  const { t } = useTexts(callTexts, conversationTexts);
  const names = usePeopleNames();
  const { selfId } = names;
  const { engine } = useChat();
  const lastAnnouncedSeq = useRef<number>(null);
  /** Ids of new messages that are being opened. */
  const closed = useRef(new Set<string>());
  const [lines, setLines] = useState<{ id: string; text: string }[]>([]);
  const lastSeq = messages.at(-1)?.seq ?? 0;
  useEffect(() => {
    const from = lastAnnouncedSeq.current ?? lastSeq;
    lastAnnouncedSeq.current = Math.max(from, lastSeq);
    if (lastSeq <= from && closed.current.size === 0) return;
    const fresh = messages.filter(
      ({ id, senderId, seq }) => senderId !== selfId && (seq > from || closed.current.has(id)),
    );
    closed.current = new Set(fresh.filter(isBeingOpened).map(({ id }) => id));
    const ready = fresh.filter((message) => !closed.current.has(message.id) && rowNoteOf(message) !== 'late');
    if (ready.length === 0) return;
    const state = engine.store.getState();
    const texts = ready.map((message) => {
      const { id, messageType, senderId } = message;
      const text = summarizeMessage(message, t, names);
      if (messageType !== 'system')
        return { id, text: t('conversation:announced', { name: names.nameOf(senderId), text }) };
      const isClaim = isUnconfirmed(message, conversation, state);
      return { id, text: isClaim ? t('conversation:serverSays', { text }) : text };
    });
    setLines((shown) => [...shown, ...texts]);
    const ids = new Set(texts.map((line) => line.id));
    setTimeout(() => setLines((shown) => shown.filter((line) => !ids.has(line.id))), keepMs);
  }, [conversation, engine, messages, lastSeq, selfId, t, names]);
  return (
    <div role="log" aria-live="polite" aria-label={t('chats.newMessages')} className="sr-only">
      {lines.map((line) => (
        <p key={line.id}>{line.text}</p>
      ))}
    </div>
  );
}
