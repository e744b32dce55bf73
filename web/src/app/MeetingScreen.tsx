import { isCallId } from '@nolo/rules';
import { Suspense } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { can } from '../device/abilities.ts';
import { CannotMeet } from '../meetings/room/CannotMeet.tsx';
import { RoomScreen } from '../meetings/room/RoomScreen.tsx';
import { StageSkeleton } from '../shell/StageSkeleton.tsx';
import { part } from '../ui/parts.tsx';

const CallScreen = part(async () => (await import('../calls/CallScreen.tsx')).CallScreen);

/** Meeting or call, over the whole window: their addresses have the same form. */
export function MeetingScreen() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  if (!can.connect()) return <CannotMeet onHome={() => void navigate('/')} />;
  if (!isCallId(id)) return <RoomScreen id={id} />;
  return (
    <Suspense fallback={<StageSkeleton />}>
      <CallScreen key={id} id={id} />
    </Suspense>
  );
}
