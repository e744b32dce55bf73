import { Readable } from 'node:stream';

/** The same bytes in pieces of exactly this size but the last, however they come. */
export async function* inPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + size - length);
      held.push(taken);
      length += taken.length;
      at += taken.length;
      if (length < size) continue;
      yield held.length === 1 ? taken : Buffer.concat(held);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held);
}

/** As a stream, for those who take nothing else. */
export function streamOf(bytes: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(bytes, { objectMode: false });
}
