import { routes, type Conversation } from '@nolo/api';
import { changeByRoute } from '@nolo/client/chat/sealedDecisions';
import { Search } from 'lucide-react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { useGroupFailureWords } from '../groupCalls/useGroupFailureWords.ts';
import { useLocale } from '../../i18n/locale.ts';
import { configStore } from '../../session/config.ts';
import { useAction } from '../../ui/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { uncoverConversation } from '../context/detailsPaneStore.ts';
import { formatLongDuration } from '../words/describeSystemMessage.ts';
import { conversationSearchStore } from './conversationSearch.ts';
import { useState } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { isMuted } from '@nolo/client/chat/chatStore';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Choices from 30 seconds to four weeks; another value set elsewhere is shown as well. */
const choices = [30, 300, 3_600, 28_800, 86_400, 604_800, 2_419_200];

/** Time after which new messages disappear, for everyone: either of two people can set it, in groups the admins. */
export function ConversationSettings({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(messagesTexts);
  const { engine } = useChat();
  const locale = useLocale();
  const { id, type, myRole, otherUser, disappearingSeconds } = conversation;
  const keptDays = useStore(configStore, ({ config }) => config?.messagesKeptDays);
  const words = useGroupFailureWords();
  const setting = useAction(
    (seconds: number) =>
      changeByRoute(engine, id, [{ kind: 'timer', seconds }], (epoch) =>
        call(routes.updateConversation, { params: { id }, body: { disappearingSeconds: seconds || null, ...epoch } }),
      ),
    {
      failure: (error) => ({ title: t('messages:timer.failed'), description: words(error) }),
      onDone: engine.addConversation,
    },
  );
  if (type === 'meeting' || (type === 'direct' && (!otherUser || otherUser.isBlocked))) return null;
  const mayChange = type === 'direct' || myRole !== 'member';
  const known = disappearingSeconds === null || choices.includes(disappearingSeconds);
  const all = known ? choices : [...choices, disappearingSeconds].toSorted((a, b) => a - b);
  const options = [
    { value: '0', label: t('messages:timer.off') },
    ...all.map((seconds) => ({ value: String(seconds), label: formatLongDuration(seconds, locale) })),
  ];
  return (
    <section className="flex flex-col gap-3 rounded-card border border-line bg-raised p-4">
      <NotificationLevelSelect conversation={conversation} />
      <Select
        label={t('messages:timer.title')}
        hint={t(mayChange ? 'messages:timer.hint' : 'messages:timer.adminsOnly')}
        value={String(disappearingSeconds ?? 0)}
        disabled={!mayChange || setting.busy}
        onValueChange={(value) => void setting.run(Number(value))}
        options={options}
      />
      {keptDays !== undefined && <p className="text-13 text-muted">{t('messages:timer.kept', { count: keptDays })}</p>}
      <Button
        kind="secondary"
        className="h-auto! min-h-10 py-1.5 whitespace-normal!"
        icon={<Search />}
        onClick={() => {
          uncoverConversation();
          conversationSearchStore.setState({ conversationId: id });
        }}
      >
        {t('messages:search.open')}
      </Button>
    </section>
  );
}

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
function NotificationLevelSelect({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(messagesTexts);
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
    { failure: () => ({ title: t('messages:notificationLevel.failed') }) },
  );
  const levels: readonly Level[] =
    type === 'group' || level === 'mentions' ? ['all', 'mentions', 'none'] : ['all', 'none'];
  const span = spanOf(mutedUntil);
  return (
    <>
      <Select
        label={t('messages:notificationLevel.title')}
        value={level}
        onValueChange={(chosen) => void setting.run([chosen, muted ? span : 'always'])}
        options={levels.map((value) => ({ value, label: t(`messages:notificationLevel.${value}`) }))}
      />
      {muted && (
        <Select
          label={t('messages:notificationLevel.howLong')}
          value={span}
          onValueChange={(chosen) => void setting.run([level, chosen])}
          options={spanNames.map((value) => ({ value, label: t(`messages:notificationLevel.${value}`) }))}
        />
      )}
    </>
  );
}
