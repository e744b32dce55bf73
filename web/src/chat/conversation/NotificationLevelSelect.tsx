import type { Conversation } from '@nolo/api';
import { useState } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { isMuted } from '@nolo/client/chat/chatStore';
import { useChat } from '../context/chatContext.ts';
import { Select } from '../../ui/Select.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useMessageWords } from '../words/useMessageWords.ts';

const hourMs = 3_600_000;
/** Distant date that stands for "always". */
const always = '9999-12-31T23:59:59.000Z';
const spans = { hour: hourMs, eightHours: 8 * hourMs, week: 168 * hourMs } as const;
type Span = keyof typeof spans | 'always';
const spanNames: readonly Span[] = ['hour', 'eightHours', 'week', 'always'];
type Level = 'all' | 'mentions' | 'none';

const until = (span: Span): string => (span === 'always' ? always : new Date(serverNow() + spans[span]).toISOString());

/** Returns the span that covers the remaining time, rounded up. */
function spanOf(mutedUntil: string | null): Span {
  const left = mutedUntil === null ? Infinity : Date.parse(mutedUntil) - serverNow();
  return spanNames.find((name) => name !== 'always' && left <= spans[name]) ?? 'always';
}

/** Sets which notifications the user gets from this conversation, and for how long, on all their devices. */
export function NotificationLevelSelect({ conversation }: { conversation: Conversation }) {
  const { t } = useMessageWords();
  const { engine } = useChat();
  const [now] = useState(() => serverNow());
  const { id, type, mutedUntil, mutedExceptMentions } = conversation;
  const muted = isMuted(conversation, now);
  const level: Level = muted ? (mutedExceptMentions ? 'mentions' : 'none') : 'all';
  const setting = useAction(
    ([chosen, span]: [Level, Span]) =>
      getConversationActions(engine).setConversation(id, {
        mutedUntil: chosen === 'all' ? null : until(span),
        mutedExceptMentions: chosen === 'mentions',
      }),
    { failure: () => ({ title: t('messages.notificationLevel.failed') }) },
  );
  const levels: readonly Level[] =
    type === 'group' || level === 'mentions' ? ['all', 'mentions', 'none'] : ['all', 'none'];
  const span = spanOf(mutedUntil);
  return (
    <>
      <Select
        label={t('messages.notificationLevel.title')}
        value={level}
        onValueChange={(chosen) => void setting.run([chosen, muted ? span : 'always'])}
        options={levels.map((value) => ({ value, label: t(`messages.notificationLevel.${value}`) }))}
      />
      {muted && (
        <Select
          label={t('messages.notificationLevel.howLong')}
          value={span}
          onValueChange={(chosen) => void setting.run([level, chosen])}
          options={spanNames.map((value) => ({ value, label: t(`messages.notificationLevel.${value}`) }))}
        />
      )}
    </>
  );
}
