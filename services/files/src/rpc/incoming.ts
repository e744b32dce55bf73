import { createFilesError, fileTooLarge, uploadIncomplete } from '../errors.ts';

/** Maximum chunk size of the contract; the gateway sends smaller ones anyway. */
const maxChunkBytes = 256 * 1024;

type StreamPart<Header> = { $case: 'header'; value: Header } | { $case: 'chunk'; value: Uint8Array } | undefined;

/** Opens a stream whose first message is the header. */
export async function readStreamHeader<Header>(
  requests: AsyncIterable<{ part?: StreamPart<Header> }>,
): Promise<{ header: Header; rest: AsyncIterator<{ part?: StreamPart<Header> }> }> {
  const rest = requests[Symbol.asyncIterator]();
  const first = await rest.next();
  const header = first.done === true ? undefined : first.value.part;
  if (header?.$case !== 'header') throw createFilesError('invalid', 'invalid_request', 'The header must come first.');
  return { header: header.value, rest };
}

/**
 * Returns the bytes of such a stream: at most `maxBytes`, and exactly `size` if that is known.
 *
 * @throws file_too_large, upload_incomplete, invalid_request
 */
export async function* bytesOfStream<Header>(
  rest: AsyncIterator<{ part?: StreamPart<Header> }>,
  { maxBytes, size, count }: { maxBytes: number; size?: number; count?: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  let came = 0;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const { part } = next.value;
    if (part?.$case !== 'chunk')
      throw createFilesError('invalid', 'invalid_request', 'Only chunks may follow the header.');
    if (part.value.length > maxChunkBytes)
      throw createFilesError('invalid', 'invalid_request', 'A chunk can have at most 256 KiB.');
    came += part.value.length;
    if (came > maxBytes) throw fileTooLarge(maxBytes);
    if (size !== undefined && came > size) throw uploadIncomplete();
    count?.(part.value.length);
    yield part.value;
  }
  if (size !== undefined && came !== size) throw uploadIncomplete();
}
