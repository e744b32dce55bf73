import { Hand, MicOff, Pin, PinOff, SignalLow } from 'lucide-react';
import { useEffect, useRef, useState, type PropsWithChildren } from 'react';
import { isPoorlySent } from '@nolo/client/rooms/roomState';
import type { StageTile } from './model/meetingStage.ts';
import { Avatar, type AvatarProps } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { nameWithRole, personName, useRoomState, useRoomClient } from './roomContext.ts';
import { VideoView, type VideoViewProps } from './VideoView.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

const priorities = { main: 200, grid: 50, strip: 20, floating: 10 } as const;

/** Reports that this video is visible, and its size, so that the server sends nothing else. */
function useSeen(tile: StageTile, size: TileBoxProps['size']) {
  const client = useRoomClient();
  const box = useRef<HTMLDivElement>(null);
  const { key, participantId, source, isSelf } = tile;
  useEffect(() => {
    const element = box.current;
    if (!element || isSelf) return undefined;
    let visible = true;
    const reportView = () => {
      const height = element.clientHeight * devicePixelRatio;
      const priority = source === 'screen' ? 255 : priorities[size];
      client.view.show(key, visible && height > 0 ? { participantId, source, height, priority } : undefined);
    };
    const seen = new IntersectionObserver(([entry]) => {
      visible = entry?.isIntersecting ?? true;
      reportView();
    });
    const sized = new ResizeObserver(reportView);
    seen.observe(element);
    sized.observe(element);
    return () => {
      seen.disconnect();
      sized.disconnect();
      client.view.show(key, undefined);
    };
  }, [client, key, participantId, source, isSelf, size]);
  return box;
}

export interface TileBoxProps {
  tile: StageTile;
  size: 'main' | 'grid' | 'strip' | 'floating';
  pinned?: boolean;
  onPin?: () => void;
}

/** Picture of a track. Shows the children until it arrives, because a black tile looks like a fault. */
function TilePicture({
  children,
  ...video
}: Pick<VideoViewProps, 'track' | 'mirrored' | 'className'> & PropsWithChildren) {
  const [isDrawn, setDrawn] = useState(false);
  return (
    <>
      <VideoView {...video} onPlaying={() => setDrawn(true)} />
      {!isDrawn && children}
    </>
  );
}

function Face({ size, ...person }: Pick<AvatarProps, 'name' | 'imageUrl'> & Pick<TileBoxProps, 'size'>) {
  const side = ({ main: 96, grid: 96, strip: 48, floating: 40 } as const)[size];
  return (
    <div
      className={classNames(
        'absolute inset-0 flex items-center justify-center',
        // Limits the avatar to the size of a tile in a phone's grid.
        side === 96 && '@max-[8rem]:scale-60 [@container(height<9rem)]:scale-60',
      )}
    >
      <Avatar {...person} size={side} />
    </div>
  );
}

export function TileBox({ tile, size, pinned = false, onPin }: TileBoxProps) {
  const { t } = useTexts(meetingTexts);
  const { key, participantId, source, isSelf } = tile;
  const participant = useRoomState((state) => state.participants[participantId]);
  const track = useRoomState((state) => state.tracks[key]);
  const paused = useRoomState((state) => state.paused[key] === true);
  const ownCamera = useRoomState((state) => state.camera);
  const ownMicrophone = useRoomState((state) => state.microphone);
  const speaking = useRoomState((state) => source === 'camera' && state.speakers.includes(participantId));
  const poor = useRoomState((state) => source === 'camera' && isPoorlySent(state, participantId));
  const box = useSeen(tile, size);
  if (!participant) return null;
  const isScreen = source === 'screen';
  const shows = isScreen || (isSelf ? ownCamera : participant.hasVideo);
  const muted = isSelf ? !ownMicrophone : participant.isMuted;
  const small = size === 'strip' || size === 'floating';
  const person = nameWithRole(participant, t);
  const label = isScreen ? t('meeting:room.screenOf', { name: personName(participant, t) }) : person;
  const face = <Face name={participant.name} imageUrl={participant.profileImageUrl} size={size} />;
  return (
    <div className="grid size-full place-items-center [container-type:size]">
      <div
        ref={box}
        role="group"
        aria-label={label}
        data-testid={`tile-${source}`}
        data-participant={participantId}
        data-self={isSelf}
        data-speaking={speaking}
        className={classNames(
          'group relative h-full overflow-hidden rounded-card bg-raised forced-colors:border',
          isScreen ? 'w-full' : 'w-[min(100cqw,177.78cqh)]',
          speaking && 'outline-3 -outline-offset-3 outline-accent',
        )}
      >
        {track && shows && !paused ? (
          <TilePicture
            key={track.id}
            track={track}
            mirrored={isSelf && !isScreen}
            className={classNames('size-full', isScreen ? 'object-contain' : 'object-cover')}
          >
            {face}
          </TilePicture>
        ) : (
          face
        )}
        {isScreen && isSelf && (
          <p className="absolute inset-x-0 top-3 mx-auto w-fit rounded-full bg-overlay px-3 py-1 text-13">
            {t('meeting:room.ownScreen')}
          </p>
        )}
        {participant.isReconnecting && (
          <p className="absolute inset-0 flex items-center justify-center gap-2 bg-scrim text-13" role="status">
            <Spinner />
            {t('meeting:room.comesBack')}
          </p>
        )}
        <div
          className={classNames(
            'absolute start-2 bottom-2 flex max-w-[calc(100%-1rem)] items-center gap-1.5 rounded-full bg-[rgb(17_15_14/0.72)] px-2.5 py-1 text-ink [&_svg]:size-3.5 [&_svg]:shrink-0',
            small ? 'text-12' : 'text-13',
          )}
        >
          {participant.isHandRaised && !isScreen && (
            <span role="img" aria-label={t('meeting:room.handRaised')} className="text-warning-text">
              <Hand aria-hidden="true" />
            </span>
          )}
          {muted && !isScreen && (
            <span role="img" aria-label={t('meeting:room.isMuted')} className="text-danger-text">
              <MicOff aria-hidden="true" />
            </span>
          )}
          {poor && (
            <span
              role="img"
              data-testid="poor-connection"
              aria-label={t('meeting:room.quality.poor')}
              title={t('meeting:room.quality.poor')}
              className="text-warning-text"
            >
              <SignalLow aria-hidden="true" />
            </span>
          )}
          <span dir="auto" className="truncate">
            {isSelf && !isScreen ? t('meeting:room.you', { name: person }) : label}
          </span>
          {speaking && <span className="sr-only">{t('meeting:room.speaking')}</span>}
        </div>
        {onPin && (
          <button
            type="button"
            aria-label={t(pinned ? 'meeting:room.unpin' : 'meeting:room.pin', { name: label })}
            aria-pressed={pinned}
            onClick={onPin}
            className={classNames(
              'absolute end-2 top-2 inline-flex size-9 items-center justify-center rounded-full bg-[rgb(17_15_14/0.72)] text-ink transition-opacity duration-150 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 [&_svg]:size-4',
              pinned ? 'opacity-100' : 'opacity-0',
            )}
          >
            {pinned ? <PinOff /> : <Pin />}
          </button>
        )}
      </div>
    </div>
  );
}
