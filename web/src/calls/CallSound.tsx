import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CallMedia } from './media/CallMedia.ts';
import type { LocalDevices } from '../meetings/room/media/LocalDevices.ts';
import type { RoomClient } from '@nolo/client/rooms/RoomClient';
import { setSpeaker } from '../meetings/room/media/sound.ts';
import { Button } from '../ui/Button.tsx';
import { SlowBlurNotice } from '../meetings/room/SlowBlurNotice.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/** Plays the audio of a call, and reports problems of the user's own video, on every screen. */
export function CallSound({ media, devices }: { media: CallMedia; devices: LocalDevices }) {
  const { room, theirs } = useStore(media.store);
  const tracks = [theirs.microphone, theirs.screen_audio].filter((track) => track !== undefined);
  return (
    <>
      <SlowBlurNotice own={devices} />
      {room ? <RoomSound room={room} devices={devices} /> : <Sounds tracks={tracks} devices={devices} />}
    </>
  );
}

function RoomSound({ room, devices }: { room: RoomClient; devices: LocalDevices }) {
  const all = useStore(room.store, (state) => state.tracks);
  const selfId = useStore(room.store, (state) => state.selfId);
  const tracks = Object.entries(all)
    .filter(([key, track]) => track.kind === 'audio' && !key.startsWith(`${selfId} `))
    .map(([, track]) => track);
  return <Sounds tracks={tracks} devices={devices} />;
}

function Sounds({ tracks, devices }: { tracks: readonly MediaStreamTrack[]; devices: LocalDevices }) {
  const { t } = useTexts(callsTexts);
  const speaker = useStore(devices.store, (state) => state.chosen.speaker);
  const [blocked, setBlocked] = useState(false);
  // Pressing the button recreates the elements, which may then play.
  const [tries, setTries] = useState(0);
  return (
    <>
      {tracks.map((track) => (
        <Sound key={`${track.id} ${tries}`} track={track} speaker={speaker} onBlocked={() => setBlocked(true)} />
      ))}
      {blocked && (
        <div
          role="alert"
          className="fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.75rem)] z-50 mx-auto flex max-w-sm items-center gap-3 rounded-card border border-line bg-overlay p-3 text-14 text-ink shadow-overlay"
        >
          <span className="min-w-0 flex-1">{t('calls:soundBlocked')}</span>
          <Button
            size="small"
            onClick={() => {
              setBlocked(false);
              setTries((count) => count + 1);
            }}
          >
            {t('calls:unmute')}
          </Button>
        </div>
      )}
    </>
  );
}

interface SoundProps {
  track: MediaStreamTrack;
  speaker: string | null;
  onBlocked: () => void;
}

function Sound({ track, speaker, onBlocked }: SoundProps) {
  const element = useRef<HTMLAudioElement>(null);
  const blocked = useEffectEvent(onBlocked);
  useEffect(() => {
    const audio = element.current;
    if (!audio) return undefined;
    audio.srcObject = new MediaStream([track]);
    audio.play().catch((error: unknown) => {
      if ((error as { name?: unknown }).name === 'NotAllowedError') blocked();
    });
    return () => {
      audio.srcObject = null;
    };
  }, [track]);
  useEffect(() => {
    if (element.current) void setSpeaker(element.current, speaker);
  }, [speaker]);
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- a live voice has no captions
  return <audio ref={element} autoPlay />;
}
