import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { StageSkeleton } from '../../shell/StageSkeleton.tsx';
import { useLocale } from '../../i18n/locale.ts';
import { sizeInWords, wouldBeLost } from './model/recording.ts';
import type { SocketLine } from '../../api/socketRequests.ts';
import { toast } from '../../ui/toasts.ts';
import { BlurNotice } from './BlurNotice.tsx';
import type { MeetingAddress } from './meetingAddress.ts';
import type { ComesIn } from './comesIn.ts';
import { ComingIn } from './ComingIn.tsx';
import { MeetingOver } from './MeetingOver.tsx';
import { PreJoin } from './PreJoin.tsx';
import { RecordingOffer } from './RecordingOffer.tsx';
import { Room } from './Room.tsx';
import { personName, RoomContext } from './roomContext.ts';
import { RoomSession } from './RoomSession.ts';
import { UnmuteRequest } from './UnmuteRequest.tsx';
import { useMediaProblems } from './useMediaProblems.ts';
import { WaitingScreen } from './WaitingScreen.tsx';

export interface Entrance {
  /** Registers a guest with the server before they ask to join. */
  enter(name: string): Promise<void>;
  /** Restores the registration after a page reload. */
  resume(): void;
}

export interface MeetingPlaceProps {
  address: MeetingAddress;
  line: SocketLine;
  /** Devices for joining immediately, without the pre-join page. */
  comesIn?: ComesIn;
  /** Null for a guest without an account, who is asked for a name. */
  self: { name: string; profileImageUrl: string | null } | null;
  entrance?: Entrance;
  /** Renders the meeting's chat, for people who have one. */
  chat?: (conversationId: string) => ReactNode;
  onHome: () => void;
  onSignIn?: (way: 'phone' | 'provider') => void;
}

/** Address of a meeting, from the access check to the end. */
export function MeetingPlace(props: MeetingPlaceProps) {
  // Later props for the same room must not remove the user from it.
  const [{ address, line, entrance, comesIn }] = useState(props);
  const onProblem = useMediaProblems();
  const { t } = useTranslation();
  const [session, setSession] = useState<RoomSession | null>(null);
  const [unmuteAsked, setUnmuteAsked] = useState(false);
  const locale = useLocale();
  const told = useRef({ onProblem, t, locale });
  useEffect(() => {
    told.current = { onProblem, t, locale };
  });

  useEffect(() => {
    const started = new RoomSession({
      roomCode: address.roomCode,
      inviteToken: address.inviteToken,
      line,
      onProblem: (problem, kind) => told.current.onProblem(problem, kind),
      onAsked: (what) => {
        if (what === 'unmute') setUnmuteAsked(true);
        else toast({ title: told.current.t(what === 'muted' ? 'meeting.asked.muted' : 'meeting.asked.videoStopped') });
      },
      nameOf: (person) => personName(person, told.current.t),
      onRecordingProblem: (problem) => {
        const { t: say } = told.current;
        toast({
          kind: 'error',
          title: say(`meeting.recording.${problem}.title`),
          description: say(`meeting.recording.${problem}.text`),
        });
      },
      onSaved: (file) => {
        const { t: say, locale: where } = told.current;
        const values = { name: file.name, size: sizeInWords(file.bytes, where) };
        const saved = say('meeting.recording.savedText', values);
        if (file.cut === undefined) {
          toast({ kind: 'success', title: say('meeting.recording.saved'), description: saved });
          return;
        }
        toast({
          kind: 'error',
          title: say('meeting.recording.endedTitle'),
          description: `${say(`meeting.recording.cut.${file.cut}`)} ${say('meeting.recording.savedUntil', values)}`,
          // Stays until closed: nothing else on the screen shows it, and people who record look at the participants.
          durationMs: Infinity,
        });
      },
    });
    setSession(started);
    const place = started.earlierPlace();
    if (place) {
      entrance?.resume();
      started.join(place);
    } else if (comesIn) started.join(comesIn);
    else void started.checkAccess();
    return () => started.stop();
  }, [address, line, entrance, comesIn]);

  if (!session) return <StageSkeleton />;
  return (
    <RoomContext value={session}>
      <MeetingFace {...props} {...(comesIn && { comesIn })} session={session} />
      <BlurNotice own={session.own} />
      <RecordingOffer recording={session.recording} />
      <UnmuteRequest open={unmuteAsked} onClose={() => setUnmuteAsked(false)} />
    </RoomContext>
  );
}

function MeetingFace({
  session,
  address,
  self,
  entrance,
  comesIn,
  chat,
  onHome,
  onSignIn,
}: MeetingPlaceProps & { session: RoomSession }) {
  const phase = useStore(session.store, (state) => state.phase);
  const access = useStore(session.access);
  const unsaved = useStore(session.recording.store, wouldBeLost);
  useEffect(() => {
    // Specification: leaving leads to /. Recordings are saved first.
    if (phase.name === 'over' && phase.reason === 'left' && !unsaved) onHome();
  }, [phase, onHome, unsaved]);

  // A retry after a failed direct join shows the pre-join page.
  const [direct, setDirect] = useState(comesIn !== undefined);
  const again = () => {
    setDirect(false);
    session.store.setState({ phase: { name: 'outside' } });
    void session.checkAccess();
  };
  if (phase.name === 'over') {
    if (phase.reason === 'left') return <main className="h-dvh bg-page" />;
    return (
      <MeetingOver
        reason={phase.reason}
        message={phase.message}
        nextHost={phase.nextHost}
        onHome={onHome}
        onAgain={again}
        onSignIn={onSignIn}
      />
    );
  }
  if (phase.name === 'joined') return <Room chat={chat} />;
  if (phase.name === 'waiting') return <WaitingScreen onLeave={() => session.leave()} />;
  if (direct) return <ComingIn onLeave={() => session.leave()} />;
  if (phase.name === 'outside' && access.state === 'closed') {
    return (
      <MeetingOver
        reason={access.reason}
        message={access.message}
        onHome={onHome}
        onAgain={again}
        onSignIn={onSignIn}
      />
    );
  }
  if (phase.name === 'outside' && access.state === 'checking') return <StageSkeleton />;
  return (
    <PreJoin
      address={address}
      self={self}
      entrance={entrance}
      onHome={onHome}
      onSignIn={onSignIn ? () => onSignIn('provider') : undefined}
    />
  );
}
