import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { StageSkeleton } from '../../shell/StageSkeleton.tsx';
import { useLocale } from '../../i18n/locale.ts';
import { sizeInWords, hasUnsavedRecording } from './model/recording.ts';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { BrandLogo } from '../brand/BrandLogo.tsx';
import { SlowBlurNotice } from './SlowBlurNotice.tsx';
import type { MeetingAddress } from './meetingAddress.ts';
import type { DirectJoinDevices } from './directJoinDevices.ts';
import { NotInMeetingScreen } from './NotInMeetingScreen.tsx';
import { PreJoin } from './PreJoin.tsx';
import { UnsavedRecordingOffer } from './UnsavedRecordingOffer.tsx';
import { Room } from './Room.tsx';
import { personName, RoomContext, useRoomState } from './roomContext.ts';
import { RoomSession } from './RoomSession.ts';
import { UnmuteRequestDialog } from './UnmuteRequestDialog.tsx';
import { useShowMediaProblem } from './useShowMediaProblem.ts';

/** Lobby, until a host admits the user. */
function WaitingScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const name = useRoomState((state) => state.meeting?.name);
  const brand = useRoomState((state) => state.meeting?.brand);
  const reconnecting = useRoomState((state) => state.reconnecting);
  const guarded = useRoomState((state) => state.guarded);
  return (
    <main className="grid h-dvh place-items-center bg-page p-6 text-center" data-testid="meeting-waiting">
      <div role="status" className="flex max-w-96 flex-col items-center text-balance">
        {brand && <BrandLogo brand={brand} className="mb-8 max-w-full" />}
        <Spinner className="mb-5 size-8 text-accent" />
        {name !== undefined && <p className="mb-1 text-14 text-muted">{name}</p>}
        <h1 className="text-20 font-semibold">{t('meeting.waiting.title')}</h1>
        <p className="mt-2 text-14 text-muted">
          {t(reconnecting ? 'meeting.room.reconnecting' : 'meeting.waiting.text')}
        </p>
        {guarded && <p className="mt-2 text-14 text-muted">{t('meeting.waiting.guarded')}</p>}
        <Button kind="secondary" className="mt-6" onClick={onLeave}>
          {t('meeting.waiting.leave')}
        </Button>
      </div>
    </main>
  );
}

/** Shown while joining a room without the pre-join page. */
function EnteringScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const preparing = useRoomState((state) => state.phase.name === 'preparing');
  return (
    <main
      data-testid="meeting-coming-in"
      className="grid h-dvh place-items-center bg-sunken p-6 text-center text-ink [color-scheme:dark]"
    >
      <div className="flex max-w-96 flex-col items-center gap-5 text-balance">
        <Spinner className="size-8 text-accent" />
        <p role="status" className="text-16">
          {t(preparing ? 'meeting.preparing' : 'meeting.ready.joining')}
        </p>
        <Button kind="secondary" onClick={onLeave}>
          {t('meeting.leaveScreen')}
        </Button>
      </div>
    </main>
  );
}

export interface GuestRegistration {
  /** Registers a guest with the server before they ask to join. */
  enter(name: string): Promise<void>;
  /** Restores the registration after a page reload. */
  resume(): void;
}

export interface MeetingFlowScreenProps {
  address: MeetingAddress;
  socket: SocketConnection;
  /** Devices for joining immediately, without the pre-join page. */
  comesIn?: DirectJoinDevices;
  /** Null for a guest without an account, who is asked for a name. */
  self: { name: string; profileImageUrl: string | null } | null;
  entrance?: GuestRegistration;
  /** Renders the meeting's chat, for people who have one. */
  chat?: (conversationId: string) => ReactNode;
  onHome: () => void;
  onSignIn?: (way: 'phone' | 'provider') => void;
}

/** Address of a meeting, from the access check to the end. */
export function MeetingFlowScreen(props: MeetingFlowScreenProps) {
  // Later props for the same room must not remove the user from it.
  const [{ address, socket, entrance, comesIn }] = useState(props);
  const onProblem = useShowMediaProblem();
  const { t } = useTranslation();
  const [session, setSession] = useState<RoomSession | null>(null);
  const [isUnmuteRequested, setIsUnmuteRequested] = useState(false);
  const locale = useLocale();
  const latest = useRef({ onProblem, t, locale });
  useEffect(() => {
    latest.current = { onProblem, t, locale };
  });

  useEffect(() => {
    const started = new RoomSession({
      roomCode: address.roomCode,
      inviteToken: address.inviteToken,
      socket,
      onProblem: (problem, kind) => latest.current.onProblem(problem, kind),
      onHostRequest: (what) => {
        if (what === 'unmute') setIsUnmuteRequested(true);
        else
          toast({ title: latest.current.t(what === 'muted' ? 'meeting.asked.muted' : 'meeting.asked.videoStopped') });
      },
      nameOf: (person) => personName(person, latest.current.t),
      onRecordingProblem: (problem) => {
        const { t: translate } = latest.current;
        toast({
          kind: 'error',
          title: translate(`meeting.recording.${problem}.title`),
          description: translate(`meeting.recording.${problem}.text`),
        });
      },
      onSaved: (file) => {
        const { t: translate, locale: where } = latest.current;
        const values = { name: file.name, size: sizeInWords(file.bytes, where) };
        const saved = translate('meeting.recording.savedText', values);
        if (file.cut === undefined) {
          toast({ kind: 'success', title: translate('meeting.recording.saved'), description: saved });
          return;
        }
        toast({
          kind: 'error',
          title: translate('meeting.recording.endedTitle'),
          description: `${translate(`meeting.recording.cut.${file.cut}`)} ${translate('meeting.recording.savedUntil', values)}`,
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
  }, [address, socket, entrance, comesIn]);

  if (!session) return <StageSkeleton />;
  return (
    <RoomContext value={session}>
      <MeetingFace {...props} {...(comesIn && { comesIn })} session={session} />
      <SlowBlurNotice own={session.own} />
      <UnsavedRecordingOffer recording={session.recording} />
      <UnmuteRequestDialog open={isUnmuteRequested} onClose={() => setIsUnmuteRequested(false)} />
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
}: MeetingFlowScreenProps & { session: RoomSession }) {
  const phase = useStore(session.store, (state) => state.phase);
  const access = useStore(session.access);
  const unsaved = useStore(session.recording.store, hasUnsavedRecording);
  useEffect(() => {
    // Specification: leaving leads to /. Recordings are saved first.
    if (phase.name === 'over' && phase.reason === 'left' && !unsaved) onHome();
  }, [phase, onHome, unsaved]);

  // A retry after a failed direct join shows the pre-join page.
  const [direct, setDirect] = useState(comesIn !== undefined);
  const retry = () => {
    setDirect(false);
    session.store.setState({ phase: { name: 'outside' } });
    void session.checkAccess();
  };
  if (phase.name === 'over') {
    if (phase.reason === 'left') return <main className="h-dvh bg-page" />;
    return (
      <NotInMeetingScreen
        reason={phase.reason}
        message={phase.message}
        nextHost={phase.nextHost}
        onHome={onHome}
        onRetry={retry}
        onSignIn={onSignIn}
      />
    );
  }
  if (phase.name === 'joined') return <Room chat={chat} />;
  if (phase.name === 'waiting') return <WaitingScreen onLeave={() => session.leave()} />;
  if (direct) return <EnteringScreen onLeave={() => session.leave()} />;
  if (phase.name === 'outside' && access.state === 'closed') {
    return (
      <NotInMeetingScreen
        reason={access.reason}
        message={access.message}
        onHome={onHome}
        onRetry={retry}
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
