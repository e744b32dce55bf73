import type { ByteSpan } from '../domain/ranges.ts';

/** Maximum consecutive reconnections without any progress. */
const maxReadRetries = 3;

/**
 * Reads a span despite connection failures by reconnecting at the current position. Failures are normal: a reader may
 * pause for longer than any server waits.
 *
 * @param read opens the object at a byte; returns undefined if it is gone or was replaced.
 */
export async function* readResumably(
  first: AsyncIterable<Uint8Array>,
  span: ByteSpan,
  read: (span: ByteSpan) => Promise<AsyncIterable<Uint8Array> | undefined>,
): AsyncGenerator<Uint8Array> {
  let at = span.start;
  let tries = 0;
  let bytes: AsyncIterable<Uint8Array> | undefined = first;
  while (at <= span.end) {
    try {
      for await (const chunk of bytes) {
        // Counted before yielding: a reader's pause happens inside `yield` and is not a failure of the storage.
        at += chunk.length;
        tries = 0;
        yield chunk;
      }
      if (at <= span.end) throw new Error('The storage stream ended before the object did.');
    } catch (error) {
      tries += 1;
      if (tries > maxReadRetries) throw error;
      bytes = await read({ start: at, end: span.end });
      if (!bytes) throw error;
    }
  }
}
