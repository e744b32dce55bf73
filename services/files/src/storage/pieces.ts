import { Readable } from 'node:stream';

/** Splits bytes into pieces of exactly this size except the last. */
export async function* splitIntoPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + size - length);
      buffered.push(taken);
      length += taken.length;
      at += taken.length;
      if (length < size) continue;
      yield buffered.length === 1 ? taken : Buffer.concat(buffered);
      buffered = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(buffered);
}

/** Converts bytes to a stream, for consumers that require one. */
export function toStream(bytes: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(bytes, { objectMode: false });
}
