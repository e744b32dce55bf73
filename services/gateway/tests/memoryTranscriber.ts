import { createAppError, type AppError } from '@nolo/kit/errors';
import { TranscriberServiceDefinition } from '@nolo/proto/transcriber';
import { fakeService } from './fakeService.ts';

/** Fakes the transcriber for the gateway: returns the bytes it receives as text. */
export function memoryTranscriber() {
  const answers: { error?: AppError | undefined; usedSeconds: number } = { usedSeconds: 0 };
  /** Senders of voice notes whose upload began. */
  const begun: string[] = [];
  /** Sender and size of each received voice note. */
  const receivedVoiceNotes: { actorId: string; size: number }[] = [];

  const service = fakeService(TranscriberServiceDefinition, {
    async transcribeVoice(requests) {
      let actorId = '';
      const chunks: Buffer[] = [];
      for await (const { part } of requests) {
        if (part?.$case === 'header') {
          actorId = part.value.actorId;
          begun.push(actorId);
          if (answers.error) throw answers.error;
        } else if (part) {
          if (part.value.length > 262_144) throw createAppError('invalid', 'chunk_too_large', 'A chunk is too large.');
          chunks.push(part.value);
        }
      }
      const bytes = Buffer.concat(chunks);
      receivedVoiceNotes.push({ actorId, size: bytes.length });
      return { transcription: bytes.subarray(0, 100).toString() };
    },
    getUsage: async () => ({ month: '2026-11', usedSeconds: answers.usedSeconds, limitSeconds: 1_800 }),
  });

  return { service, answers, begun, receivedVoiceNotes };
}
