import { routes, type Conversation } from '@nolo/api';
import { letIn } from '@nolo/client/chat/sealedDecisions';
import type { SendState } from '@nolo/client/keys/conversations/types';
import type { KeysPhase } from '@nolo/client/keys/types';
import { Hourglass, KeyRound, LockKeyholeOpen, ShieldAlert, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { call } from '../../api/httpClient.ts';
import { useKeysState } from '../../keys/useKeys.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useChat, useChatState } from '../context/chatContext.ts';
import { useGroupFailureWords } from '../groupCalls/useGroupFailureWords.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { EndedCard, NobodyInsideCard } from './EndedCards.tsx';
import { NoticeCard } from './NoticeCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';
import { sealedTexts } from './sealedTexts.ts';
import { useListPeople } from './useListPeople.ts';

const SetUpDialog = lazyDialog(async () => (await import('../../keys/SetUpDialog.tsx')).SetUpDialog);

type Blocked = Extract<SendState, { readonly state: 'blocked' }>;

/** Says above the composer how messages go, unless simply encrypted: why they wait, and what the user can do. */
export function SendNotice({ conversation, name }: { conversation: Conversation; name: string }) {
  const { id } = conversation;
  const standing = useChatState((state) => state.standings[id]?.send);
  const held = useChatState((state) => state.timelines[id]?.pending.find(({ heldBy }) => heldBy)?.heldBy);
  // A message that begins an epoch may be asked about more than the standing knows.
  const isQuiet = !standing || standing.state === 'sealed' || standing.state === 'plain';
  const send = isQuiet && held !== undefined && held.state !== 'written_before' ? held : standing;
  const outsiders = useChatState((state) => state.standings[id]?.outsiders ?? nobody);
  const { t } = useTexts(sealedTexts);
  switch (send?.state) {
    case 'plain':
      return <PlainLine userIds={send.withoutKeys} />;
    case 'waiting_for_key': {
      const type = conversation.type === 'direct' ? 'direct' : 'group';
      return (
        <NoticeCard tone="info" icon={<Hourglass aria-hidden="true" />}>
          {t(`sealed:waiting.${type}${send.withoutKeys?.length ? 'WithoutKeys' : ''}`, { name })}
        </NoticeCard>
      );
    }
    case 'question': {
      const [question] = send.questions;
      return question ? <QuestionCard key={question.id} conversation={conversation} question={question} /> : null;
    }
    case 'waiting_for_entry':
      if (send.letInBy.length === 0) return <NobodyInsideCard group={conversation} />;
      return (
        <NoticeCard tone="info" icon={<Hourglass aria-hidden="true" />}>
          {t('sealed:waiting.entry')}
        </NoticeCard>
      );
    case 'blocked':
      if (send.reason === 'ended') return <EndedCard conversation={conversation} name={name} />;
      return send.reason === 'keys' ? <WithoutKeys /> : <BlockedCard blocked={send} />;
    default:
      return outsiders.length > 0 ? (
        <OutsidersCard key={outsiders.join()} conversation={conversation} userIds={outsiders} />
      ) : null;
  }
}

const nobody: readonly string[] = [];

/** Offers to let people in who are members for the server, and for whom nobody signed. */
function OutsidersCard({ conversation: { id }, userIds }: { conversation: Conversation; userIds: readonly string[] }) {
  const { t } = useTexts(sealedTexts);
  const { engine } = useChat();
  const names = useListPeople(userIds);
  const [isAway, setIsAway] = useState(false);
  const words = useGroupFailureWords();
  const letting = useAction(
    () => letIn(engine, id, userIds, (body) => call(routes.commitEpoch, { params: { id }, body })),
    { failure: (error) => ({ title: t('sealed:outsiders.failed'), description: words(error) }) },
  );
  if (isAway) return null;
  return (
    <NoticeCard
      tone="info"
      icon={<UserPlus aria-hidden="true" />}
      title={t('sealed:outsiders.title', { count: userIds.length, names })}
      action={
        <>
          <Button size="small" kind="secondary" onClick={() => setIsAway(true)}>
            {t('sealed:outsiders.later')}
          </Button>
          <Button size="small" busy={letting.busy} onClick={() => void letting.run()}>
            {t('sealed:outsiders.yes')}
          </Button>
        </>
      }
    >
      <p>{t('sealed:outsiders.text')}</p>
    </NoticeCard>
  );
}

function PlainLine({ userIds }: { userIds: readonly string[] }) {
  const { t } = useTexts(sealedTexts);
  const names = useListPeople(userIds);
  if (userIds.length === 0) return null;
  return (
    <NoticeCard tone="plain" icon={<LockKeyholeOpen aria-hidden="true" />}>
      {t('sealed:plain.people', { count: userIds.length, names })}
    </NoticeCard>
  );
}

function BlockedCard({ blocked: { reason, userId } }: { blocked: Blocked }) {
  const { t } = useTexts(sealedTexts);
  const { nameOf } = usePeopleNames();
  const values = { name: userId === undefined ? '' : nameOf(userId) };
  const text = (): string => {
    if (reason === 'keys' || reason === 'ended') return '';
    const isOfPerson = userId !== undefined && (reason === 'fork' || reason === 'old');
    return isOfPerson ? t(`sealed:blocked.${reason}Of`, values) : t(`sealed:blocked.${reason}`);
  };
  return (
    <NoticeCard tone="danger" icon={<ShieldAlert aria-hidden="true" />}>
      {text()}
    </NoticeCard>
  );
}

/** Says why this device has no keys, and leads to what brings them. */
function WithoutKeys() {
  const { t } = useTexts(sealedTexts);
  const { phase } = useKeysState();
  const [settingUp, setSettingUp] = useState(false);
  const setUp = (
    <Button size="small" onClick={() => setSettingUp(true)}>
      {t('sealed:noKeys.setUpButton')}
    </Button>
  );
  const review = (
    <Link to="/settings/devices" className={buttonClasses({ kind: 'secondary', size: 'small' })}>
      {t('sealed:noKeys.review')}
    </Link>
  );
  const actions: Partial<Record<KeysPhase['name'], ReactNode>> = { unlinked: setUp, removed: setUp, blocked: review };
  const words = {
    loading: 'loading',
    ready: 'loading',
    unlinked: 'setUp',
    removed: 'removed',
    blocked: 'paused',
    unavailable: phase.name === 'unavailable' ? phase.reason : 'storage',
  } as const;
  return (
    <>
      <NoticeCard
        tone={phase.name === 'blocked' ? 'danger' : 'info'}
        icon={<KeyRound aria-hidden="true" />}
        action={actions[phase.name]}
      >
        {t(`sealed:noKeys.${words[phase.name]}`)}
      </NoticeCard>
      {settingUp && <SetUpDialog onClose={() => setSettingUp(false)} />}
    </>
  );
}
