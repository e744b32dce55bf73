import type { Conversation } from '@nolo/api';
import { answerQuestion } from '@nolo/client/chat/sealedDecisions';
import type { ConversationQuestion } from '@nolo/client/keys/conversations/types';
import { KeyRound, ShieldAlert, Users } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useDescribeChange } from '../../keys/IdentityNotice.tsx';
import { keysTexts } from '../../keys/keysTexts.ts';
import { useKeyDeviceName } from '../../keys/useKeyDeviceName.ts';
import { usePersonKeys } from '../../keys/usePersonKeys.ts';
import { VerifiedMark } from '../../keys/VerifiedMark.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useChat, usePerson } from '../context/chatContext.ts';
import { detailsPaneStore } from '../context/detailsPaneStore.ts';
import { groupRequestStore } from '../context/groupRequestStore.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { NoticeCard } from './NoticeCard.tsx';
import { sealedTexts } from './sealedTexts.ts';
import { useListPeople } from './useListPeople.ts';

const VerifyDialog = lazyDialog(async () => (await import('../../keys/VerifyDialog.tsx')).VerifyDialog);

interface QuestionCardProps {
  conversation: Conversation;
  question: ConversationQuestion;
}

/** People that a question is about, whose names its title or text has. */
function peopleOf(question: ConversationQuestion): readonly string[] {
  switch (question.kind) {
    case 'joined':
    case 'not_encrypted':
      return question.userIds;
    case 'fork':
      return question.removes;
    default:
      return [];
  }
}

/** Question about the encryption of a conversation, which the user answers before anything is sent there. */
export function QuestionCard({ conversation, question }: QuestionCardProps) {
  const { t } = useTexts(keysTexts, sealedTexts);
  const { engine } = useChat();
  const { nameOf, selfId } = usePeopleNames();
  const deviceNameOf = useKeyDeviceName();
  const people = peopleOf(question);
  const names = useListPeople(people);
  const count = people.length;
  const answering = useAction(() => answerQuestion(engine, conversation.id, question.id, true), {
    failure: t('sealed:question.failed'),
  });
  const yes = (label: string) => (
    <Button size="small" busy={answering.busy} onClick={() => void answering.run()}>
      {label}
    </Button>
  );
  const goOn = yes(t('sealed:question.goOn'));
  const ask = (title: string, text: ReactNode, action: ReactNode = goOn) => (
    <NoticeCard tone="warning" icon={<ShieldAlert aria-hidden="true" />} title={title} action={action}>
      {text}
    </NoticeCard>
  );
  const showMembers = (
    <Button size="small" kind="secondary" onClick={() => detailsPaneStore.setState({ open: true })}>
      {t('sealed:question.joined.members')}
    </Button>
  );
  switch (question.kind) {
    case 'identity':
    case 'undecided':
      return <IdentityQuestion userId={question.userId}>{yes(t('keys:changed.accept'))}</IdentityQuestion>;
    case 'members':
      return (
        <MembersQuestion userIds={question.userIds} conversation={conversation}>
          {yes(t('sealed:question.members.yes'))}
        </MembersQuestion>
      );
    case 'joined':
      return ask(
        t('sealed:question.joined.title', { count, names }),
        <p>{t('sealed:question.joined.text')}</p>,
        <>
          {showMembers}
          {goOn}
        </>,
      );
    case 'restart': {
      const name = nameOf(question.userId);
      return ask(t('sealed:question.restart.title', { name }), <p>{t('sealed:question.restart.text')}</p>);
    }
    case 'removed_device': {
      const name = nameOf(question.userId);
      return ask(
        t('sealed:question.removed_device.title'),
        <p>{t('sealed:question.removed_device.text', { name })}</p>,
      );
    }
    case 'newer':
      return ask(
        t('sealed:question.newer.title', { device: deviceNameOf(question.deviceName) }),
        <p>{t('sealed:question.newer.text')}</p>,
        yes(t('sealed:question.newer.yes')),
      );
    case 'fork':
      return ask(
        t('sealed:question.fork.title'),
        <p>
          {t('sealed:question.fork.text')} {count > 0 && t('sealed:question.fork.removes', { count, names })}
        </p>,
        yes(t('sealed:question.fork.yes')),
      );
    case 'fork_ended': {
      const { userId } = question;
      const title =
        userId === null
          ? t('sealed:question.fork_ended.replaced')
          : userId === selfId
            ? t('sealed:question.fork_ended.byYou')
            : t('sealed:question.fork_ended.by', { name: nameOf(userId) });
      return ask(title, <p>{t('sealed:question.fork_ended.text')}</p>);
    }
    case 'device_fork': {
      const name = nameOf(question.userId);
      return ask(
        t('sealed:question.device_fork.title', { name }),
        <p>{t('sealed:question.device_fork.text')}</p>,
        yes(t('sealed:question.device_fork.yes')),
      );
    }
    case 'not_encrypted':
      return ask(
        t('sealed:question.not_encrypted.title', { count, names }),
        <p>{t('sealed:question.not_encrypted.text')}</p>,
        yes(t('sealed:question.not_encrypted.yes')),
      );
  }
}

/** Asks about the keys of a person, which the user may compare first. */
function IdentityQuestion({ userId, children }: { userId: string; children: ReactNode }) {
  const { t } = useTexts(keysTexts);
  const describe = useDescribeChange();
  const person = usePersonKeys(userId);
  const name = usePeopleNames().nameOf(userId);
  const [verifying, setVerifying] = useState(false);
  return (
    <>
      <NoticeCard
        tone="warning"
        icon={<KeyRound aria-hidden="true" />}
        action={
          <>
            <Button size="small" kind="secondary" onClick={() => setVerifying(true)}>
              {t('keys:changed.verify')}
            </Button>
            {children}
          </>
        }
      >
        {describe(person, name)}
      </NoticeCard>
      {verifying && <VerifyDialog userId={userId} name={name} onClose={() => setVerifying(false)} />}
    </>
  );
}

interface MembersQuestionProps {
  conversation: Conversation;
  userIds: readonly string[];
  /** Button that confirms the members. */
  children: ReactNode;
}

/** Asks about the members that the server supplied, with the list of them. */
function MembersQuestion({ conversation, userIds, children }: MembersQuestionProps) {
  const { t } = useTexts(sealedTexts);
  const { engine } = useChat();
  const wanted = userIds.join(' ');
  useEffect(() => engine.wantNames(wanted.split(' ')), [engine, wanted]);
  return (
    <NoticeCard
      tone="warning"
      icon={<Users aria-hidden="true" />}
      title={t('sealed:question.members.title')}
      action={
        <>
          {conversation.type === 'group' && (
            <Button size="small" kind="secondary" onClick={() => groupRequestStore.setState({ leaving: conversation })}>
              {t('sealed:question.members.leave')}
            </Button>
          )}
          {children}
        </>
      }
    >
      <p>{t('sealed:question.members.text')}</p>
      <ul
        aria-label={t('sealed:question.members.list')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and nothing in it takes the focus
        tabIndex={0}
        className="mt-2 flex max-h-[22dvh] flex-wrap gap-x-3 gap-y-1.5 overflow-y-auto text-ink"
      >
        {userIds.map((userId) => (
          <SuppliedMember key={userId} userId={userId} />
        ))}
      </ul>
    </NoticeCard>
  );
}

function SuppliedMember({ userId }: { userId: string }) {
  const nameOf = useDisplayNameOf();
  const person = usePerson(userId);
  const name = nameOf(userId);
  return (
    <li className="flex max-w-full items-center gap-1.5">
      <Avatar name={name} imageUrl={person?.profileImageUrl} size={24} />
      <span dir="auto" className="truncate">
        {name}
      </span>
      <VerifiedMark userId={userId} />
    </li>
  );
}
