import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { setSpeaker } from './media/sound.ts';
import { useRoomState, useRoomSession } from './roomContext.ts';

export function RemoteSound() {
  const session = useRoomSession();
  const keys = useStore(
    session.store,
    useShallow(({ tracks, selfId }) =>
      Object.keys(tracks)
        .filter((key) => / (microphone|screen_audio)$/.test(key) && !key.startsWith(`${selfId} `))
        .toSorted(),
    ),
  );
  return (
    <div hidden>
      {keys.map((key) => (
        <Voice key={key} trackKey={key} />
      ))}
    </div>
  );
}

function Voice({ trackKey }: { trackKey: string }) {
  const session = useRoomSession();
  const audio = useRef<HTMLAudioElement>(null);
  const track = useRoomState((state) => state.tracks[trackKey]);
  const speaker = useStore(session.own.store, (state) => state.chosen.speaker);
  const blocked = useRoomState((state) => state.soundBlocked);
  const stream = useMemo(() => track && new MediaStream([track]), [track]);
  useEffect(() => {
    const element = audio.current;
    if (!element || !stream) return;
    element.srcObject = stream;
    void setSpeaker(element, speaker);
  }, [stream, speaker]);
  useEffect(() => {
    const element = audio.current;
    if (!element || !stream || blocked) return;
    element.play()?.catch((error: unknown) => {
      // Browsers block sound after a reload until the user presses something.
      if ((error as { name?: unknown }).name === 'NotAllowedError') session.store.setState({ soundBlocked: true });
    });
  }, [stream, blocked, session]);
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- live voices have no captions
  return <audio ref={audio} autoPlay data-testid="voice" data-track={trackKey} />;
}
