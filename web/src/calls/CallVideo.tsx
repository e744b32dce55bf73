import { MicOff, VideoOff } from 'lucide-react';
import { useState, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useSelf } from '../session/self.ts';
import type { CallMedia } from './media/CallMedia.ts';
import type { LiveCall } from './model/callPhase.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { VideoView } from '../meetings/room/VideoView.tsx';
import { classNames } from '../ui/classNames.ts';
import { CallStatus } from './VoiceCallView.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/**
 * Shows the other person large and the user in a corner, or the reverse; a shared screen takes precedence over both.
 */
export function CallVideo({ live, media }: { live: LiveCall; media: CallMedia }) {
  const { t } = useTexts(callsTexts);
  const { own, theirs, peer: sends, sharing } = useStore(media.store);
  const peer = useCallPeer(live);
  const [swapped, setSwapped] = useState(false);
  const screen = sends.screen ? theirs.screen : undefined;
  const face = sends.camera ? theirs.camera : undefined;
  const waiting = live.phase !== 'connected';
  // Shows the user's own video until there is any of the other person.
  const selfLarge = screen === undefined && (swapped || (waiting && own.camera !== undefined));

  const small = selfLarge || screen ? 'theirs' : 'own';

  const theirView = face ? (
    <VideoView track={face} className="size-full object-cover" />
  ) : (
    <Still name={peer.name} imageUrl={peer.imageUrl} small={small === 'theirs'} />
  );
  const ownView = own.camera ? (
    <VideoView track={own.camera} mirrored className="size-full object-cover" />
  ) : (
    <OwnStill small={small === 'own'} />
  );
  const swap = () => setSwapped((before) => !before);
  return (
    <div className="relative min-h-0 flex-1">
      <div className="absolute inset-0 bg-sunken" data-testid="call-large">
        {screen ? <VideoView track={screen} className="size-full object-contain" /> : selfLarge ? ownView : theirView}
      </div>
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 top-0 h-28 bg-linear-to-b from-[rgb(0_0_0/0.55)] to-transparent"
      />
      <div className="pointer-events-none absolute inset-x-16 top-[calc(env(safe-area-inset-top)+0.75rem)] z-10 text-center [text-shadow:0_1px_3px_rgb(0_0_0/0.6)]">
        <h1 dir="auto" className="truncate text-16 font-semibold">
          {peer.name}
        </h1>
        <CallStatus live={live} media={media} className="text-13" />
      </div>
      {waiting && selfLarge && (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-center bg-[rgb(0_0_0/0.35)]">
          <Avatar name={peer.name} imageUrl={peer.imageUrl} size={96} />
        </div>
      )}
      {!waiting && (
        <FloatingView label={t(swapped ? 'calls:swapBack' : 'calls:swap', { name: peer.name })} onPress={swap}>
          {small === 'theirs' ? theirView : ownView}
        </FloatingView>
      )}
      {/* Next to the user's own video, whose default place is the other corner. */}
      <ul className="pointer-events-none absolute start-3 bottom-3 z-10 flex max-w-[calc(100%-8.5rem)] flex-col items-start gap-1.5 sm:max-w-[calc(100%-16rem)]">
        {!waiting && !sends.microphone && (
          <VideoNotice icon={<MicOff />}>{t('calls:peerMuted', { name: peer.name })}</VideoNotice>
        )}
        {!waiting && !face && !screen && (
          <VideoNotice icon={<VideoOff />}>{t('calls:peerCameraOff', { name: peer.name })}</VideoNotice>
        )}
        {screen && <VideoNotice>{t('calls:peerShares', { name: peer.name })}</VideoNotice>}
        {sharing && <VideoNotice>{t('calls:youShare')}</VideoNotice>}
      </ul>
    </div>
  );
}

function Still({ name, imageUrl, small }: { name: string; imageUrl: string | null; small: boolean }) {
  return (
    <span className="flex size-full items-center justify-center bg-panel">
      <Avatar name={name} imageUrl={imageUrl} size={small ? 56 : 96} />
    </span>
  );
}

function OwnStill({ small }: { small: boolean }) {
  const self = useSelf();
  return <Still name={self.displayName} imageUrl={self.profileImageUrl} small={small} />;
}

function VideoNotice({ icon, children }: { icon?: React.ReactNode; children: React.ReactNode }) {
  return (
    <li className="flex max-w-full items-center gap-2 rounded-[14px] bg-[rgb(0_0_0/0.6)] px-3 py-1 text-13 text-[#fff] [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  );
}

type Corner = { bottom: boolean; end: boolean };

const slackPixels = 6;

export function nearestCorner(
  point: { x: number; y: number },
  area: { left: number; top: number; width: number; height: number },
  rtl: boolean,
): Corner {
  const right = point.x > area.left + area.width / 2;
  return { bottom: point.y > area.top + area.height / 2, end: right !== rtl };
}

/** Small video that can be dragged to any corner, and that a press swaps with the large one. */
function FloatingView({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  const [corner, setCorner] = useState<Corner>({ bottom: true, end: true });
  const [offset, setOffset] = useState<{ x: number; y: number } | null>(null);
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const dragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    start.current = { x: event.clientX, y: event.clientY, moved: false };
    dragged.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const from = start.current;
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(x, y) < slackPixels) return;
    from.moved = true;
    dragged.current = true;
    setOffset({ x, y });
  };
  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.parentElement?.getBoundingClientRect();
    if (start.current?.moved && area) {
      const own = event.currentTarget.getBoundingClientRect();
      const middle = { x: own.left + own.width / 2, y: own.top + own.height / 2 };
      setCorner(nearestCorner(middle, area, document.documentElement.dir === 'rtl'));
    }
    start.current = null;
    setOffset(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rtl = document.documentElement.dir === 'rtl';
    const moves: Record<string, Partial<Corner>> = {
      ArrowUp: { bottom: false },
      ArrowDown: { bottom: true },
      ArrowLeft: { end: rtl },
      ArrowRight: { end: !rtl },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    setCorner((before) => ({ ...before, ...move }));
  };

  return (
    <button
      type="button"
      aria-label={label}
      data-testid="call-small"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onKeyDown={onKeyDown}
      onClick={() => {
        // The browser reports a press at the end of a drag, which the user did not intend.
        if (!dragged.current) onPress();
        dragged.current = false;
      }}
      style={offset ? { transform: `translate(${offset.x}px, ${offset.y}px)` } : undefined}
      className={classNames(
        'absolute z-10 aspect-[3/4] w-26 touch-none overflow-hidden rounded-card border border-line bg-panel shadow-overlay sm:aspect-video sm:w-56',
        offset ? 'cursor-grabbing' : 'transition-[inset] duration-150 ease-out',
        corner.bottom ? 'bottom-3' : 'top-16',
        corner.end ? 'end-3' : 'start-3',
      )}
    >
      {children}
    </button>
  );
}
