import { routes, type Participant } from '@nolo/api';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { useChat, useChatState } from '../../chat/context/chatContext.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ConversationPane } from '../../chat/conversation/ConversationPane.tsx';
import { MessageListSkeleton } from '../../chat/conversation/MessageListSkeleton.tsx';
import { useRoomState } from './roomContext.ts';

function personOf({ userId, name, profileImageUrl }: Participant) {
  return { id: userId, firstName: name.split(' ')[0] ?? name, displayName: name, profileImageUrl };
}

/** Chat of the meeting. */
export function ChatPanel({ conversationId }: { conversationId: string }) {
  const title = useRoomState((state) => state.meeting?.name);
  const { t } = useTranslation();
  const { engine } = useChat();
  const conversation = useChatState((state) => state.conversations[conversationId]);
  const [failed, setFailed] = useState(false);
  const missing = conversation === undefined;
  const load = useCallback(
    () =>
      call(routes.getConversation, { params: { id: conversationId } }).then(
        (loaded) => engine.addConversation(loaded),
        () => setFailed(true),
      ),
    [engine, conversationId],
  );
  useEffect(() => {
    if (missing) void load();
  }, [missing, load]);
  const participants = useRoomState((state) => state.participants);
  useEffect(() => {
    // Participants already have names, before any message brings them.
    const people = Object.values(participants).filter(({ role }) => role !== 'guest');
    engine.learnPeople(people.map(personOf).filter(({ id }) => engine.store.getState().people[id] === undefined));
  }, [engine, participants]);
  if (conversation)
    return <ConversationPane conversation={conversation} header={null} {...(title !== undefined && { title })} />;
  if (failed)
    return (
      <ErrorState
        className="flex-1"
        title={t('meeting.room.chatFailed')}
        onRetry={() => {
          setFailed(false);
          void load();
        }}
      />
    );
  return <MessageListSkeleton />;
}
