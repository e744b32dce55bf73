import type { Conversation } from '@nolo/api';
import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';
import { Hourglass } from 'lucide-react';
import { Navigate, useLocation, useParams } from 'react-router-dom';
import { useChatState } from '../chat/context/chatContext.ts';
import { detailsPaneStore } from '../chat/context/detailsPaneStore.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useUnapprovedMessageCount } from '../chat/context/groupScreenQueries.ts';
import { conversationPath } from '../chat/words/conversationName.ts';
import { ConversationSkeleton } from '../chat/conversation/ConversationSkeleton.tsx';
import { ConversationPane } from '../chat/conversation/ConversationPane.tsx';
import { readInvite } from './groupAddress.ts';
import { GroupJoinScreen } from './GroupJoinScreen.tsx';
import { ConversationMissing, NoConversation } from '../chat/conversation/NoConversation.tsx';
import { GroupHeader } from './GroupHeader.tsx';
import { useGroupConversationLookup } from './useGroupConversationLookup.ts';
import { useTexts } from '../i18n/texts.ts';
import { conversationTexts } from '../chat/words/conversationTexts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** `/group-chat/{id or room code}` (decision 8). */
export function GroupScreen() {
  const { id = '' } = useParams();
  const { hash } = useLocation();
  const code = normalizeRoomCode(id);
  return looksLikeRoomCode(code) ? (
    <GroupJoinScreen key={code} code={code} invite={readInvite(hash)} />
  ) : (
    <GroupById key={id} id={id} />
  );
}

function GroupById({ id }: { id: string }) {
  const { t } = useTexts(groupTexts, groupsTexts);
  const connected = useChatState((state) => state.connection === 'open');
  const group = useGroupConversationLookup(id);
  if (group.state === 'found') {
    const { conversation } = group;
    if (conversation.type === 'direct') return <Navigate to={conversationPath(conversation)} replace />;
    return (
      <ConversationPane
        conversation={conversation}
        header={
          <>
            <GroupHeader conversation={conversation} />
            <UnapprovedNotice conversation={conversation} />
          </>
        }
      />
    );
  }
  if (group.state === 'loading') return <ConversationSkeleton />;
  return (
    <NoConversation>
      {group.state === 'missing' && (
        <ConversationMissing title={t('chats.groupNotFound')} text={t('group:notFoundText')} />
      )}
      {group.state === 'failed' && (
        <ErrorState
          className="flex-1"
          title={t('groups:admission.loadFailed')}
          {...(connected ? {} : { description: t('groups:admission.offline') })}
          retrying={group.retrying}
          onRetry={group.retry}
        />
      )}
    </NoConversation>
  );
}

/** Shows authors that their messages are pending approval. */
function UnapprovedNotice({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(conversationTexts);
  const count = useUnapprovedMessageCount(conversation);
  if (count === 0 || conversation.myRole !== 'member') return null;
  return (
    <Banner
      tone="info"
      icon={<Hourglass aria-hidden="true" />}
      action={
        <Button size="small" kind="quiet" onClick={() => detailsPaneStore.setState({ open: true })}>
          {t('conversation:group.showHeld')}
        </Button>
      }
    >
      {t('conversation:group.heldOwn', { count })}
    </Banner>
  );
}
