import type { Reply } from '@nolo/api';
import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { request } from '../../api/request.ts';

/** As long as the server may work on it, and the way there and back. */
const timeoutMs = (limits.transcriptionWorkSeconds + 30) * 1_000;

/** What is said in a recording. Rejects where it cannot be told; it is sent all the same. */
export async function transcribe(recording: Blob): Promise<string> {
  const form = new FormData();
  form.append('audio', recording, recording.type.endsWith('mp4') ? 'voice.mp4' : 'voice.webm');
  const { path, method } = routes.transcribeVoice;
  const reply = await request(path, { method, body: form }, { timeoutMs });
  const { transcription } = (await reply.json()) as Reply<typeof routes.transcribeVoice>;
  return transcription.trim();
}
