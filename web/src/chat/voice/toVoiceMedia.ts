import { writeMediaInfo } from '@nolo/client/chat/mediaInfo';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import type { Recording } from './recorder.ts';
import { toWaveform } from './waveform.ts';

/** Converts a recording to the medium of a message. */
export function toVoiceMedia({ file, duration, levels }: Recording, transcription: string): UnsentMedia {
  return {
    messageType: 'voice',
    name: null,
    size: file.size,
    info: writeMediaInfo({ type: file.type, duration, waveform: toWaveform(levels) }),
    duration,
    ...(transcription !== '' && { transcription }),
    fields: null,
  };
}
