import { useEffect, useMemo, useCallback, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { routes, type Participant } from '@nolo/api';
import { useChat, useChatState } from '../../chat/context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { call } from '../../api/httpClient.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ConversationPane } from '../../chat/conversation/ConversationPane.tsx';
import { MessageListSkeleton } from '../../chat/conversation/MessageListSkeleton.tsx';
import { readDirectJoinDevices } from './directJoinDevices.ts';
import { MeetingFlowScreen } from './MeetingFlowScreen.tsx';
import { readMeetingAddress } from './meetingAddress.ts';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';
import { useRoomState } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

export function RoomScreen({ id }: { id: string }) {
  const { t } = useTexts(meetingTexts);
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const { engine } = useChat();
  const self = useSelf();
  const address = useMemo(() => readMeetingAddress(id, search, hash), [id, search, hash]);
  const comesIn = readDirectJoinDevices(state);
  useEffect(() => {
    // Applies to this entry only: returning to it in the history shows the pre-join page.
    if (readDirectJoinDevices(state)) void navigate({ pathname, search, hash }, { replace: true });
  }, [navigate, pathname, search, hash, state]);
  useMeetingDocumentTitle(t('meeting:title'));
  return (
    <MeetingFlowScreen
      key={address.roomCode}
      address={address}
      socket={engine.socket}
      {...(comesIn && { comesIn })}
      self={{ name: self.displayName, profileImageUrl: self.profileImageUrl }}
      chat={(conversationId) => <ChatPanel conversationId={conversationId} />}
      onHome={() => void navigate('/')}
    />
  );
}

function personOf({ userId, name, profileImageUrl }: Participant) {
  return { id: userId, firstName: name.split(' ')[0] ?? name, displayName: name, profileImageUrl };
}

function ChatPanel({ conversationId }: { conversationId: string }) {
  const title = useRoomState((state) => state.meeting?.name);
  const { t } = useTexts(meetingTexts);
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
        title={t('meeting:room.chatFailed')}
        onRetry={() => {
          setFailed(false);
          void load();
        }}
      />
    );
  return <MessageListSkeleton />;
}
