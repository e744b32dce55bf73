import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useChat } from '../../chat/context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import { readDirectJoinDevices } from './directJoinDevices.ts';
import { ChatPanel } from './ChatPanel.tsx';
import { MeetingFlowScreen } from './MeetingFlowScreen.tsx';
import { readMeetingAddress } from './meetingAddress.ts';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';

/** Meeting over the whole window. */
export function RoomScreen({ id }: { id: string }) {
  const { i18n, t } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
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
  useMeetingDocumentTitle(t('meeting.title'));
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
