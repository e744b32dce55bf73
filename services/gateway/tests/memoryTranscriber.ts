import { fail, type AppError } from '@nolo/kit/errors';
import { TranscriberServiceService } from '@nolo/proto/transcriber';
import { fakeService } from './fakeService.ts';

/** The transcriber as far as the gateway can tell: what was heard is what was sent. */
export function memoryTranscriber() {
  const answers: { error?: AppError | undefined; usedSeconds: number } = { usedSeconds: 0 };
  /** Whose voice notes began to come. */
  const begun: string[] = [];
  /** Whose voice notes came, and how large each was. */
  const heard: { actorId: string; size: number }[] = [];

  const service = fakeService(TranscriberServiceService, {
    async transcribeVoice(requests) {
      let actorId = '';
      const chunks: Buffer[] = [];
      for await (const { part } of requests) {
        if (part?.$case === 'header') {
          actorId = part.value.actorId;
          begun.push(actorId);
          if (answers.error) throw answers.error;
        } else if (part) {
          if (part.value.length > 262_144) throw fail('invalid', 'chunk_too_large', 'A chunk is too large.');
          chunks.push(part.value);
        }
      }
      const bytes = Buffer.concat(chunks);
      heard.push({ actorId, size: bytes.length });
      return { transcription: bytes.subarray(0, 100).toString() };
    },
    getUsage: async () => ({ month: '2026-11', usedSeconds: answers.usedSeconds, limitSeconds: 1_800 }),
  });

  return { service, answers, begun, heard };
}
