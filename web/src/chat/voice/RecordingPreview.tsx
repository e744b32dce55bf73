import { Pause, Play } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { formatClockDuration } from '../../i18n/sizeText.ts';
import { getVoicePlayer, type PlayerTrack } from '../media/player.ts';
import type { VoiceRecorder } from './recorder.ts';
import { Waveform } from './Waveform.tsx';
import { toWaveform } from './waveform.ts';
import { useTexts } from '../../i18n/texts.ts';
import { voiceTexts } from '../media/voiceTexts.ts';

/** Creates the value on the first call. */
function once(make: () => string) {
  let made: string | undefined;
  return {
    get: () => (made ??= make()),
    forget(drop: (known: string) => void): void {
      if (made !== undefined) drop(made);
      made = undefined;
    },
  };
}

/** Plays the recording so far, before it is sent. */
export function RecordingPreview({ recorder }: { recorder: VoiceRecorder }) {
  const { t } = useTexts(voiceTexts);
  const key = useId();
  const player = getVoicePlayer();
  const { elapsed, levels } = useStore(recorder.store);
  const current = useStore(player.store, (state) => (state.key === key ? state : null));
  const seconds = elapsed / 1_000;
  // The URL stays the same during a pause.
  const [file] = useState(() => once(() => URL.createObjectURL(recorder.soFar())));
  useEffect(
    () => () => {
      player.pause();
      file.forget((address) => URL.revokeObjectURL(address));
    },
    [player, file],
  );
  const track: PlayerTrack = { key, duration: seconds, load: () => Promise.resolve(file.get()) };
  const playing = current?.status === 'playing';
  const time = current?.time ?? 0;
  return (
    <>
      <button
        type="button"
        aria-label={t(playing ? 'voice:pause' : 'voice:listen')}
        onClick={() => player.toggle(track)}
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-full text-accent-text hover:bg-hover pointer-coarse:size-11 [&_svg]:size-5 [&_svg]:fill-current"
      >
        {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" className="translate-x-px" />}
      </button>
      <span className="min-w-0 flex-1">
        <Waveform
          bars={toWaveform(levels)}
          time={time}
          duration={seconds}
          onSeek={(place) => player.seek(track, place)}
        />
      </span>
      <span dir="ltr" className="tabular shrink-0 text-14 font-medium">
        {formatClockDuration(time > 0 || playing ? time : seconds)}
      </span>
    </>
  );
}
