import { writeMediaInfo } from '../engine/mediaInfo.ts';
import type { UnsentMedia } from '../engine/ports.ts';
import type { Recording } from './recorder.ts';
import { waveformOf } from './waveform.ts';

/** A recording as a message carries it. */
export function voiceMedia({ file, duration, levels }: Recording, transcription: string): UnsentMedia {
  return {
    messageType: 'voice',
    name: null,
    size: file.size,
    info: writeMediaInfo({ type: file.type, duration, waveform: waveformOf(levels) }),
    duration,
    ...(transcription !== '' && { transcription }),
    fields: null,
  };
}
