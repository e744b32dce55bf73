import { routes, type RouteReply } from '@nolo/api';
import { limits } from '@nolo/rules';
import { request } from '../../api/request.ts';
import { writeMediaInfo } from '@nolo/client/chat/mediaInfo';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import type { Recording } from './recorder.ts';
import { toWaveform } from './waveform.ts';

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

/** Timeout in milliseconds: the server's work limit plus the transfer. */
const timeoutMs = (limits.transcriptionWorkSeconds + 30) * 1_000;

/** Transcribes a recording. Rejects on failure, but the note is sent nevertheless. */
export async function transcribe(recording: Blob): Promise<string> {
  const form = new FormData();
  form.append('audio', recording, recording.type.endsWith('mp4') ? 'voice.mp4' : 'voice.webm');
  const { path, method } = routes.transcribeVoice;
  const reply = await request(path, { method, body: form }, { timeoutMs });
  const { transcription } = (await reply.json()) as RouteReply<typeof routes.transcribeVoice>;
  return transcription.trim();
}
