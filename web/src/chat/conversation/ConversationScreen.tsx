import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { useChatState } from '../context/chatContext.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { ConversationSkeleton } from './ConversationSkeleton.tsx';
import { ConversationPane } from './ConversationPane.tsx';
import { ConversationMissing, NoConversation } from './NoConversation.tsx';
import { StrangerBar } from './StrangerBar.tsx';
import { useConversationLookup } from './useConversationLookup.ts';
import { useDeferredFirstRender } from './useDeferredFirstRender.ts';
import { isMessageRequest } from '@nolo/client/chat/hiding';
import { lazyComponent } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const RequestPane = lazyComponent(async () => (await import('./MessageRequestPane.tsx')).MessageRequestPane);

/** Conversation of the address, or a message that it does not exist. */
export function ConversationScreen() {
  const { t } = useTexts(conversationTexts);
  const { id = '' } = useParams();
  const address = useConversationLookup(id);
  const connected = useChatState((state) => state.connection === 'open');
  const drawn = useDeferredFirstRender(address.state === 'found');
  if (address.state === 'found' && drawn) {
    const { conversation } = address;
    if (!isMessageRequest(conversation)) {
      return (
        <ConversationPane
          key={id}
          conversation={conversation}
          header={
            <>
              <ConversationHeader conversation={conversation} />
              <StrangerBar conversation={conversation} />
            </>
          }
        />
      );
    }
    return (
      <Suspense fallback={<ConversationSkeleton />}>
        <RequestPane key={id} conversation={conversation} />
      </Suspense>
    );
  }
  if (address.state === 'loading' || address.state === 'found') return <ConversationSkeleton />;
  return (
    <NoConversation>
      {address.state === 'failed' && (
        <ErrorState
          whole
          className="flex-1"
          title={t('errors.startConversation')}
          {...(connected ? {} : { description: t('conversation:notOnDevice') })}
          onRetry={address.retry}
        />
      )}
      {address.state === 'missing' && (
        <ConversationMissing title={t('conversation:notFoundTitle')} text={t('conversation:notFoundText')} />
      )}
    </NoConversation>
  );
}
