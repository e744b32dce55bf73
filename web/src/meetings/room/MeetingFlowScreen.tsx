import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { StageSkeleton } from '../../shell/StageSkeleton.tsx';
import { useLocale } from '../../i18n/locale.ts';
import { sizeInWords, hasUnsavedRecording } from './model/recording.ts';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { BrandLogo } from '../brand/BrandLogo.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SlowBlurNotice } from './SlowBlurNotice.tsx';
import type { MeetingAddress } from './meetingAddress.ts';
import type { DirectJoinDevices } from './directJoinDevices.ts';
import { NotInMeetingScreen } from './NotInMeetingScreen.tsx';
import { PreJoin, type GuestRegistration } from './PreJoin.tsx';
import { UnsavedRecordingOffer } from './UnsavedRecordingOffer.tsx';
import { Room } from './Room.tsx';
import { personName, RoomContext, useRoomState, useRoomSession } from './roomContext.ts';
import { RoomSession, type RoomSessionOptions } from './RoomSession.ts';
import { useShowMediaProblem } from './useShowMediaProblem.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Lobby, until a host admits the user. */
function WaitingScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTexts(meetingTexts);
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
        <h1 className="text-20 font-semibold">{t('meeting:waiting.title')}</h1>
        <p className="mt-2 text-14 text-muted">
          {t(reconnecting ? 'meeting:room.reconnecting' : 'meeting:waiting.text')}
        </p>
        {guarded && <p className="mt-2 text-14 text-muted">{t('meeting:waiting.guarded')}</p>}
        <Button kind="secondary" className="mt-6" onClick={onLeave}>
          {t('meeting:waiting.leave')}
        </Button>
      </div>
    </main>
  );
}

/** Shown while joining a room without the pre-join page. */
function EnteringScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTexts(meetingTexts);
  const preparing = useRoomState((state) => state.phase.name === 'preparing');
  return (
    <main
      data-testid="meeting-coming-in"
      className="grid h-dvh place-items-center bg-sunken p-6 text-center text-ink [color-scheme:dark]"
    >
      <div className="flex max-w-96 flex-col items-center gap-5 text-balance">
        <Spinner className="size-8 text-accent" />
        <p role="status" className="text-16">
          {t(preparing ? 'meeting:preparing' : 'meeting:ready.joining')}
        </p>
        <Button kind="secondary" onClick={onLeave}>
          {t('meeting:leaveScreen')}
        </Button>
      </div>
    </main>
  );
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
  const onProblem = useEffectEvent(useShowMediaProblem());
  const { t } = useTexts(meetingTexts);
  const [session, setSession] = useState<RoomSession | null>(null);
  const [isUnmuteRequested, setIsUnmuteRequested] = useState(false);
  const locale = useLocale();
  const onHostRequest = useEffectEvent<RoomSessionOptions['onHostRequest']>((what) => {
    if (what === 'unmute') setIsUnmuteRequested(true);
    else toast({ title: t(what === 'muted' ? 'meeting:asked.muted' : 'meeting:asked.videoStopped') });
  });
  const nameOf = useEffectEvent<RoomSessionOptions['nameOf']>((person) => personName(person, t));
  const onRecordingProblem = useEffectEvent<RoomSessionOptions['onRecordingProblem']>((problem) =>
    toast({
      kind: 'error',
      title: t(`meeting:recording.${problem}.title`),
      description: t(`meeting:recording.${problem}.text`),
    }),
  );
  const onSaved = useEffectEvent<RoomSessionOptions['onSaved']>((file) => {
    const values = { name: file.name, size: sizeInWords(file.bytes, locale) };
    if (file.cut === undefined) {
      const description = t('meeting:recording.savedText', values);
      toast({ kind: 'success', title: t('meeting:recording.saved'), description });
      return;
    }
    toast({
      kind: 'error',
      title: t('meeting:recording.endedTitle'),
      description: `${t(`meeting:recording.cut.${file.cut}`)} ${t('meeting:recording.savedUntil', values)}`,
      // Stays until closed: nothing else on the screen shows it, and people who record look at the participants.
      durationMs: Infinity,
    });
  });

  useEffect(() => {
    const started = new RoomSession({
      roomCode: address.roomCode,
      inviteToken: address.inviteToken,
      socket,
      onProblem: (problem, kind) => onProblem(problem, kind),
      onHostRequest: (what) => onHostRequest(what),
      nameOf: (person) => nameOf(person),
      onRecordingProblem: (problem) => onRecordingProblem(problem),
      onSaved: (file) => onSaved(file),
    });
    // oxlint-disable-next-line react/set-state-in-effect -- the session begins and stops with this effect
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

/** A host's request to unmute. People can only unmute themselves. */
export function UnmuteRequestDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts(meetingTexts);
  const session = useRoomSession();
  return (
    <Dialog
      open={open}
      role="alert"
      size="small"
      onOpenChange={(next) => !next && onClose()}
      title={t('meeting:asked.unmuteTitle')}
      description={t('meeting:asked.unmuteText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('meeting:asked.stayMuted')}
          </Button>
          <Button
            onClick={() => {
              void session.client?.set('microphone', true);
              onClose();
            }}
          >
            {t('meeting:room.microphoneOn')}
          </Button>
        </>
      }
    />
  );
}
