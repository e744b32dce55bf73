import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { TranscribeVoiceRequest } from '@nolo/proto/transcriber';
import { limits } from '@nolo/rules';
import { audioTooLarge, createTranscriberError } from '../errors.ts';

/** Maximum chunk size from the contract. The gateway sends smaller ones anyway. */
const maxChunkBytes = 256 * 1024;

/** Reads the speaker from the first message of the stream. */
export async function readActorId(requestIterator: AsyncIterator<TranscribeVoiceRequest>): Promise<UserId> {
  const first = await requestIterator.next();
  const header = first.done === true ? undefined : first.value.part;
  if (header?.$case !== 'header')
    throw createTranscriberError('invalid', 'invalid_request', 'The header must come first.');
  return parseActorId(header.value.actorId);
}

/**
 * Reads the audio from the rest of the stream into memory; it is stored nowhere else.
 *
 * @param hold called for each chunk before it is stored; throws if there is no capacity
 */
export async function readAudio(
  requestIterator: AsyncIterator<TranscribeVoiceRequest>,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await requestIterator.next(); next.done !== true; next = await requestIterator.next()) {
    const { part } = next.value;
    if (part?.$case !== 'chunk') {
      throw createTranscriberError('invalid', 'invalid_request', 'Only chunks may follow the header.');
    }
    if (part.value.length > maxChunkBytes) {
      throw createTranscriberError('invalid', 'invalid_request', 'A chunk can have at most 256 KiB.');
    }
    size += part.value.length;
    if (size > limits.transcriptionAudioBytes) throw audioTooLarge();
    hold(part.value.length);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, size);
}
