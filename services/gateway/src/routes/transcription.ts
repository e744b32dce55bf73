import { routes } from '@nolo/api';
import type { TranscribeVoiceRequest } from '@nolo/proto/transcriber';
import { limits } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { withFormFile } from '../http/formFile.ts';

/** Chunk size from the transcriber's contract. */
const chunkBytes = 262_144;
/** Timeout of the whole call, including the upload on a slow connection. */
const callTimeoutMs = 180_000;

const tooLarge = () =>
  createGatewayError('too_large', 'audio_too_large', 'This voice note is too large.', {
    maxBytes: limits.transcriptionAudioBytes,
  });

async function* toTranscribeVoiceRequests(
  actorId: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<TranscribeVoiceRequest> {
  yield { part: { $case: 'header', value: { actorId } } };
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += chunkBytes) {
      yield { part: { $case: 'chunk', value: chunk.subarray(start, start + chunkBytes) } };
    }
  }
}

const notHere = () =>
  createGatewayError('not_found', 'transcription_unavailable', 'Transcription is not available here.');

export function bindTranscription(bind: BindRoute, { transcriber }: Pick<GatewayContext, 'transcriber'>): void {
  bind(routes.getTranscription, async ({ actor, rpc }) => {
    if (!transcriber) throw notHere();
    const { month, usedSeconds, limitSeconds } = await transcriber.getUsage({ actorId: actor.userId }, rpc);
    return { month, usedSeconds, limitSeconds: limitSeconds ?? null };
  });

  bind(routes.transcribeVoice, async ({ actor, rpc, request, response }) => {
    if (!transcriber) throw notHere();
    // Aborts when the client disconnects.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { transcribeVoice } = transcriber;
    return await withFormFile(
      request,
      { field: routes.transcribeVoice.fileField, maxBytes: limits.transcriptionAudioBytes, tooLarge },
      ({ bytes }) =>
        transcribeVoice(toTranscribeVoiceRequests(actor.userId, bytes), {
          ...rpc,
          signal: gone.signal,
          timeoutMs: callTimeoutMs,
        }),
    );
  });
}
