import { isAppError } from '@nolo/kit/errors';
import { parseActorId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type {
  GetUsageReply,
  GetUsageRequest,
  TranscribeVoiceReply,
  TranscribeVoiceRequest,
} from '@nolo/proto/transcriber';
import { requireMinutesLeft, transcribe } from '../domain/transcribe.ts';
import { VoiceMemoryBudget } from '../domain/VoiceMemoryBudget.ts';
import { transcriptionOff } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { readActorId, readAudio } from './parse.ts';

export function transcribeVoice(deps: RpcDependencies) {
  const { consents, limiter, audio, metrics } = deps;
  const room = new VoiceMemoryBudget();

  const serve = async (requests: AsyncIterable<TranscribeVoiceRequest>, { signal, log }: RpcContext) => {
    const requestIterator = requests[Symbol.asyncIterator]();
    const actorId = await readActorId(requestIterator);
    if (!(await consents.given(actorId))) throw transcriptionOff();
    await limiter.consume('transcriptionsPerUser', actorId);
    await requireMinutesLeft(deps, actorId);
    let ownBytes = 0;
    const hold = (bytes: number) => {
      room.take(actorId, bytes);
      ownBytes += bytes;
    };
    try {
      const recording = await audio.examine(actorId, await readAudio(requestIterator, hold));
      const end = metrics.workSeconds.startTimer();
      const { text, seconds } = await transcribe(
        { ...deps, onUncounted: (error) => log.warn({ err: error }, 'counting the seconds of a voice note failed') },
        actorId,
        recording,
        signal,
      );
      end();
      metrics.audioSeconds.inc(seconds);
      return { transcription: text };
    } finally {
      room.giveBack(actorId, ownBytes);
    }
  };

  return async (
    requests: AsyncIterable<TranscribeVoiceRequest>,
    context: RpcContext,
  ): Promise<TranscribeVoiceReply> => {
    try {
      const reply = await serve(requests, context);
      metrics.voiceNotes.inc({ outcome: 'transcribed' });
      return reply;
    } catch (error) {
      metrics.voiceNotes.inc({
        outcome: context.signal.aborted ? 'given_up' : isAppError(error) ? error.code : 'internal_error',
      });
      throw error;
    }
  };
}

export function getUsage({ usage, allowedOf }: Pick<RpcDependencies, 'usage' | 'allowedOf'>) {
  return async (request: GetUsageRequest): Promise<GetUsageReply> => {
    const actorId = parseActorId(request.actorId);
    const { month, seconds } = await allowedOf(actorId);
    const usedSeconds = await usage.used(actorId, month);
    return { month, usedSeconds, ...(seconds === Infinity ? {} : { limitSeconds: seconds }) };
  };
}
