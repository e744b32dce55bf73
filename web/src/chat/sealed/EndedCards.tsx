import { routes, type Conversation, type GroupMember } from '@nolo/api';
import { Ban, DoorOpen, MessagesSquare } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { call, callPage } from '../../api/httpClient.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useChat } from '../context/chatContext.ts';
import { groupRequestStore } from '../context/groupRequestStore.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { NoticeCard } from './NoticeCard.tsx';
import { sealedTexts } from './sealedTexts.ts';

interface EndedCardProps {
  conversation: Conversation;
  name: string;
}

/** Says that a conversation ended, because the server showed two beginnings, and offers another one. */
export function EndedCard({ conversation, name }: EndedCardProps) {
  const { t } = useTexts(sealedTexts);
  const isDirect = conversation.type === 'direct';
  const type = isDirect ? 'direct' : 'group';
  return (
    <NoticeCard
      tone="danger"
      icon={<Ban aria-hidden="true" />}
      title={t(`sealed:ended.${type}Title`)}
      action={isDirect ? <StartAnother conversation={conversation} isReplacing /> : <NewGroup group={conversation} />}
    >
      <p>
        {t('sealed:ended.text')} {t(`sealed:ended.${type}Text`, { name })}
      </p>
    </NoticeCard>
  );
}

/** Says that another conversation of the two people took the place of this one, and leads there. */
export function ReplacedCard({ conversation, name }: EndedCardProps) {
  const { t } = useTexts(sealedTexts);
  return (
    <NoticeCard
      tone="info"
      icon={<MessagesSquare aria-hidden="true" />}
      title={t('sealed:replaced.title')}
      action={<StartAnother conversation={conversation} />}
    >
      <p>{t('sealed:replaced.text', { name })}</p>
    </NoticeCard>
  );
}

/** Says that nobody is left who can let the user into a group. */
export function NobodyInsideCard({ group }: { group: Conversation }) {
  const { t } = useTexts(sealedTexts);
  return (
    <NoticeCard
      tone="warning"
      icon={<DoorOpen aria-hidden="true" />}
      title={t('sealed:nobodyInside.title')}
      action={<NewGroup group={group} />}
    >
      <p>{t('sealed:nobodyInside.text')}</p>
    </NoticeCard>
  );
}

interface StartAnotherProps {
  conversation: Conversation;
  /** True if the new conversation takes the place of this one. */
  isReplacing?: boolean;
}

function StartAnother({ conversation: { id, otherUser }, isReplacing = false }: StartAnotherProps) {
  const { t } = useTexts(sealedTexts);
  const { engine } = useChat();
  const navigate = useNavigate();
  const words = useExplainFailure();
  const starting = useAction(
    async (otherUserId: string) => {
      const body = { otherUserId, ...(isReplacing && { replaces: id }) };
      const conversation = await call(routes.startConversation, { body });
      engine.addConversation(conversation);
      await navigate(`/chat/${conversation.id}`);
    },
    { failure: (error) => ({ title: t('errors.startConversation'), description: words(error) }) },
  );
  if (!otherUser) return null;
  return (
    <Button size="small" busy={starting.busy} onClick={() => void starting.run(otherUser.id)}>
      {t(isReplacing ? 'sealed:ended.startChat' : 'sealed:replaced.open')}
    </Button>
  );
}

/** Maximum pages of members, which is above the largest group. */
const maxMemberPages = 10;

async function listMembers(id: string): Promise<GroupMember[]> {
  const members: GroupMember[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxMemberPages; page++) {
    const { items, nextCursor } = await callPage(routes.listGroupMembers, { params: { id }, query: { cursor } });
    members.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return members;
}

/** Buttons that leave a group, and start another one with its people. */
function NewGroup({ group }: { group: Conversation }) {
  const { t } = useTexts(sealedTexts);
  const { selfId } = usePeopleNames();
  const words = useExplainFailure();
  const listing = useAction(async () => listMembers(group.id), {
    failure: (error) => ({ title: t('sealed:ended.listFailed'), description: words(error) }),
    onDone: (members) =>
      groupRequestStore.setState({
        newWith: members.flatMap(({ user }) => (user && user.id !== selfId ? [user] : [])),
      }),
  });
  return (
    <>
      <Button size="small" kind="secondary" onClick={() => groupRequestStore.setState({ leaving: group })}>
        {t('sealed:question.members.leave')}
      </Button>
      <Button size="small" busy={listing.busy} onClick={() => void listing.run()}>
        {t('sealed:ended.startGroup')}
      </Button>
    </>
  );
}
