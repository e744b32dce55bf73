import { useEffect, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { CallMedia } from './media/CallMedia.ts';
import { initialMediaState } from './media/callMediaState.ts';
import { watchMicrophoneLevel } from '../meetings/room/media/sound.ts';
import type { LiveCall } from './model/callPhase.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { CallTimer } from './CallTimer.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useCallStatusText } from './useCallStatusText.ts';

interface VoiceCallViewProps {
  live: LiveCall;
  media: CallMedia | null;
  children?: ReactNode;
}

/** Voice call with a still picture: picture, name, status, and a ring that pulses with the voice. */
export function VoiceCallView({ live, media, children }: VoiceCallViewProps) {
  const peer = useCallPeer(live);
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-5 px-6 text-center">
      <span className="relative inline-flex">
        {media && live.phase === 'connected' && <VoiceRing media={media} />}
        {(live.phase === 'outgoing' || live.phase === 'incoming') && (
          <span aria-hidden="true" className="absolute inset-0 animate-pulse rounded-full ring-12 ring-accent/20" />
        )}
        <Avatar name={peer.name} imageUrl={peer.imageUrl} size={96} className="scale-125" />
      </span>
      <div className="mt-2 min-w-0 max-w-full">
        <h1 dir="auto" className="text-24 font-semibold tracking-tight wrap-anywhere">
          {peer.name}
        </h1>
        <CallStatus live={live} media={media} className="mt-1 block text-16 text-muted" />
      </div>
      {children}
    </div>
  );
}

function VoiceRing({ media }: { media: CallMedia }) {
  const track = useStore(media.store, (state) => state.theirs.microphone);
  const silent = useStore(media.store, (state) => !state.peer.microphone);
  const ring = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!track || silent) return undefined;
    return watchMicrophoneLevel(track, (level) => {
      if (ring.current) ring.current.style.scale = String(1.25 + level * 0.3);
    });
  }, [track, silent]);
  return (
    <span
      ref={ring}
      aria-hidden="true"
      data-testid="voice-ring"
      className="absolute inset-0 rounded-full bg-accent/25 transition-[scale] duration-75"
    />
  );
}

/** Stands for the media of a call whose code is still loading. */
const noMedia = createStore(() => initialMediaState);

interface CallStatusProps {
  live: LiveCall;
  media: CallMedia | null;
  className?: string;
}

/** Status: "Ringing...", "Connecting...", or the duration of the conversation. */
export function CallStatus({ live, media, className }: CallStatusProps) {
  const link = useStore(media?.store ?? noMedia, (state) => state.link);
  const text = useCallStatusText(live, link);
  return (
    <span className={className}>
      <span role="status">{text}</span>
      {text === null && live.talkingSince !== null && <CallTimer since={live.talkingSince} />}
    </span>
  );
}
