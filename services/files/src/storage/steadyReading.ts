import type { Span } from '../domain/ranges.ts';

/** Times that reading goes on after it broke off, without one more byte in between. */
const mostTries = 3;

/**
 * The bytes of a span, whatever becomes of the connection: where it breaks off, reading goes on with a new one. That is
 * usual, for a reader who pauses stands still for longer than any server waits.
 *
 * @param read opens the object from a byte on; undefined where it is gone, or is another one than before.
 */
export async function* steadily(
  first: AsyncIterable<Uint8Array>,
  span: Span,
  read: (span: Span) => Promise<AsyncIterable<Uint8Array> | undefined>,
): AsyncGenerator<Uint8Array> {
  let at = span.start;
  let tries = 0;
  let bytes: AsyncIterable<Uint8Array> | undefined = first;
  while (at <= span.end) {
    try {
      for await (const chunk of bytes) {
        // Before it is handed on: whoever pauses does so in here, and that is no failure of the storage.
        at += chunk.length;
        tries = 0;
        yield chunk;
      }
      if (at <= span.end) throw new Error('The storage ended before the object did.');
    } catch (error) {
      tries += 1;
      if (tries > mostTries) throw error;
      bytes = await read({ start: at, end: span.end });
      if (!bytes) throw error;
    }
  }
}
