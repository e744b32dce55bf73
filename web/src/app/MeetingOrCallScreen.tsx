import { isCallId } from '@nolo/rules';
import { Suspense } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { browserSupport } from '../device/browserSupport.ts';
import { UnsupportedBrowserScreen } from '../meetings/room/UnsupportedBrowserScreen.tsx';
import { RoomScreen } from '../meetings/room/RoomScreen.tsx';
import { StageSkeleton } from '../shell/StageSkeleton.tsx';
import { lazyComponent } from '../ui/lazyComponents.tsx';

const CallScreen = lazyComponent(async () => (await import('../calls/CallScreen.tsx')).CallScreen);

/** Meeting or call, over the whole window: their addresses have the same form. */
export function MeetingOrCallScreen() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  if (!browserSupport.connect()) return <UnsupportedBrowserScreen onHome={() => void navigate('/')} />;
  if (!isCallId(id)) return <RoomScreen id={id} />;
  return (
    <Suspense fallback={<StageSkeleton />}>
      <CallScreen key={id} id={id} />
    </Suspense>
  );
}
