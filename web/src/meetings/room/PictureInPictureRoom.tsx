import { Mic, MicOff, PhoneOff, Video, VideoOff } from 'lucide-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useShallow } from 'zustand/react/shallow';
import { arrangeStage } from './model/meetingStage.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { nameWithRole, personName, toStageState, useRoomState, useRoomClient } from './roomContext.ts';
import { VideoView } from './VideoView.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

const view = { layout: 'speaker', pinned: null, page: 0, floatSelf: false, portrait: false } as const;

/** Room in the small window: the shared screen or speaker, and the controls needed without returning to the page. */
export function PictureInPictureRoom({ small }: { small: Window }) {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  const roomState = useRoomState(useShallow(toStageState));
  const microphone = useRoomState((state) => state.microphone);
  const camera = useRoomState((state) => state.camera);
  const paused = useRoomState((state) => state.paused);
  const recording = useRoomState((state) => state.meeting?.isRecording === true);
  const tile = useMemo(() => {
    const { main, others } = arrangeStage(roomState, view);
    return main[0] ?? others[0];
  }, [roomState]);
  const { participantId = '', source = 'camera', isSelf = true } = tile ?? {};
  useEffect(() => {
    if (isSelf) return undefined;
    // The page behind may be hidden, but this window is visible nevertheless.
    const height = small.innerHeight * small.devicePixelRatio;
    client.view.show('small window', { participantId, source, height, priority: 200, always: true });
    return () => client.view.show('small window', undefined);
  }, [client, small, participantId, source, isSelf]);

  const participant = roomState.participants[participantId];
  const track = tile && roomState.tracks[tile.key];
  const shows = source === 'screen' || (isSelf ? camera : participant?.hasVideo === true);
  const name =
    participant &&
    (isSelf ? t('meeting:room.you', { name: nameWithRole(participant, t) }) : nameWithRole(participant, t));
  return createPortal(
    <main
      aria-label={t('meeting:room.pictureInPicture')}
      data-testid="small-room"
      className="relative flex h-dvh flex-col overflow-clip bg-sunken text-ink"
    >
      <div className="relative flex min-h-0 flex-1 items-center justify-center">
        {track && shows && paused[tile.key] !== true ? (
          <VideoView
            track={track}
            mirrored={isSelf && source === 'camera'}
            className={classNames('size-full', source === 'screen' ? 'object-contain' : 'object-cover')}
          />
        ) : (
          participant && <Avatar name={participant.name} imageUrl={participant.profileImageUrl} size={96} />
        )}
        {name !== undefined && (
          <p className="absolute start-2 bottom-2 max-w-[calc(100%-1rem)] truncate rounded-full bg-[rgb(17_15_14/0.72)] px-2.5 py-1 text-12">
            <span dir="auto">
              {source === 'screen'
                ? t('meeting:room.screenOf', { name: participant ? personName(participant, t) : '' })
                : name}
            </span>
          </p>
        )}
        {recording && (
          <p className="absolute start-2 top-2 flex items-center gap-1.5 rounded-full bg-danger-subtle px-2 py-0.5 text-12 text-danger-text">
            <span aria-hidden="true" className="size-2 rounded-full bg-danger" />
            {t('meeting:room.recording')}
          </p>
        )}
      </div>
      <div role="toolbar" aria-label={t('meeting:room.controls')} className="flex shrink-0 justify-center gap-2 p-2">
        <SmallControl
          label={t(microphone ? 'meeting:room.microphoneOff' : 'meeting:room.microphoneOn')}
          tone={microphone ? 'plain' : 'off'}
          onPress={() => void client.set('microphone', !microphone)}
        >
          {microphone ? <Mic /> : <MicOff />}
        </SmallControl>
        <SmallControl
          label={t(camera ? 'meeting:room.cameraOff' : 'meeting:room.cameraOn')}
          tone={camera ? 'plain' : 'off'}
          onPress={() => void client.set('camera', !camera)}
        >
          {camera ? <Video /> : <VideoOff />}
        </SmallControl>
        <SmallControl label={t('meeting:room.leave')} tone="leave" onPress={() => client.leave()}>
          <PhoneOff />
        </SmallControl>
      </div>
    </main>,
    small.document.body,
  );
}

const tones = {
  plain: 'bg-raised text-ink hover:bg-overlay',
  off: 'bg-danger-subtle text-danger-text',
  leave: 'bg-danger text-on-danger hover:bg-danger-hover',
} as const;

interface SmallControlProps {
  label: string;
  tone: keyof typeof tones;
  onPress: () => void;
  children: ReactNode;
}

/** Control without the bar's tooltip, which would open in the page behind. */
function SmallControl({ label, tone, onPress, children }: SmallControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className={classNames(
        'inline-flex size-11 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5',
        tones[tone],
      )}
    >
      {children}
    </button>
  );
}
