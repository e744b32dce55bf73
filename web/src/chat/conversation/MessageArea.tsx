import type { Conversation } from '@nolo/api';
import { MessageCircle } from 'lucide-react';
import { use, useCallback, useLayoutEffect, useState, type ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useChatState } from '../context/chatContext.ts';
import type { Timeline } from '@nolo/client/chat/timeline';
import { MessageList, type MessageListProps } from './MessageList.tsx';
import { MessageListSkeleton } from './MessageListSkeleton.tsx';
import { createMessageListSnapshot, MessageListSnapshotContext } from './messageListSnapshot.ts';
import { TypingRow } from './TypingRow.tsx';
import { useBeginningWords } from './messageListComponents.tsx';
import { useDeferredFirstRender } from './useDeferredFirstRender.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

type MessageAreaProps = Omit<MessageListProps, 'timeline'> & {
  timeline: Timeline | undefined;
  name: string;
  onRetry: () => void;
};

/** Messages, or the content that replaces them. */
export function MessageArea(props: MessageAreaProps) {
  const [picture] = useState(createMessageListSnapshot);
  const hold = useCallback((place: HTMLElement | null) => picture.hold(place), [picture]);
  return (
    <MessageListSnapshotContext value={picture}>
      {/* The list is hidden under its still picture, which has no background. */}
      <div ref={hold} className="relative flex min-h-0 flex-1 flex-col has-[>[inert]]:[&>:not([inert])]:opacity-0">
        <Messages {...props} />
      </div>
    </MessageListSnapshotContext>
  );
}

function Messages({ conversation, timeline, name, onRetry, ...list }: MessageAreaProps) {
  const { t } = useTexts(conversationTexts);
  const connected = useChatState((state) => state.connection === 'open');
  const beginning = useBeginningWords(conversation, name);
  const drawn = useDeferredFirstRender(timeline !== undefined && timeline.status !== 'loading');
  if (timeline === undefined || timeline.status === 'loading' || !drawn) return <MessageListSkeleton />;
  if (timeline.status === 'error') {
    return (
      <WithoutPicture>
        <ErrorState
          className="flex-1"
          title={t('errors.fetchMessages')}
          {...(connected ? {} : { description: t('conversation:notOnDevice') })}
          onRetry={onRetry}
        />
      </WithoutPicture>
    );
  }
  if (timeline.messages.length === 0 && timeline.pending.length === 0) {
    return <NoMessages conversation={conversation} name={name} beginning={beginning} />;
  }
  return (
    <MessageList
      // A replaced run of messages is another list, not the same one with rows removed at its ends.
      key={list.visible.run}
      conversation={conversation}
      timeline={timeline}
      {...list}
    />
  );
}

/** Removes the still picture of the previous list, because no other list replaces it. */
function WithoutPicture({ children }: { children: ReactNode }) {
  const picture = use(MessageListSnapshotContext);
  useLayoutEffect(() => picture.drop(), [picture]);
  return children;
}

function NoMessages(props: { conversation: Conversation; name: string; beginning: string }) {
  const { conversation, name, beginning } = props;
  const { t } = useTexts(conversationTexts);
  const isDirect = conversation.type === 'direct';
  const isGone = isDirect && !conversation.otherUser;
  return (
    <WithoutPicture>
      <EmptyState
        className="flex-1"
        icon={<MessageCircle />}
        title={
          isGone
            ? t('chats.noMessagesYet')
            : t(isDirect ? 'conversation:sayHello' : 'conversation:group.sayHello', { name })
        }
        description={beginning}
      />
      <TypingRow conversation={conversation} />
    </WithoutPicture>
  );
}
