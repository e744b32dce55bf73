import { isCallId } from '@nolo/rules';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useChat } from '../../chat/context/chatContext.ts';
import { LoadingScreen } from '../../shell/LoadingScreen.tsx';
import { useSelf } from '../../session/self.ts';
import { can } from '../../device/abilities.ts';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import { CannotMeet } from './CannotMeet.tsx';
import { ChatPanel } from './ChatPanel.tsx';
import { MeetingPlace } from './MeetingPlace.tsx';
import { readMeetingAddress } from './meetingAddress.ts';
import { useMeetingTitle } from './useMeetingTitle.ts';

const CallScreen = lazy(async () => ({ default: (await import('../../calls/CallScreen.tsx')).CallScreen }));

/** A meeting or a call, over the whole window. */
export function MeetingScreen() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  if (!can.connect()) return <CannotMeet onHome={() => void navigate('/')} />;
  if (!isCallId(id)) return <RoomScreen id={id} />;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <CallScreen key={id} id={id} />
    </Suspense>
  );
}

function RoomScreen({ id }: { id: string }) {
  const { i18n, t } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const { engine } = useChat();
  const self = useSelf();
  const address = useMemo(() => readMeetingAddress(id, search, hash), [id, search, hash]);
  useMeetingTitle(t('meeting.title'));
  return (
    <MeetingPlace
      key={address.roomCode}
      address={address}
      line={engine.line}
      self={{ name: self.displayName, profileImageUrl: self.profileImageUrl }}
      chat={(conversationId) => <ChatPanel conversationId={conversationId} />}
      onHome={() => void navigate('/')}
    />
  );
}
