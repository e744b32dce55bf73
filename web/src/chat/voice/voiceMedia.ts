import { writeMediaInfo } from '../engine/mediaInfo.ts';
import type { UnsentMedia } from '../engine/ports.ts';
import type { Recording } from './recorder.ts';
import { waveformOf } from './waveform.ts';

/** Converts a recording to the medium of a message. */
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
