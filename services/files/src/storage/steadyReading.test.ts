import type { ByteSpan } from '../domain/ranges.ts';
import { readResumably } from './steadyReading.ts';

const bytes = Buffer.from('what was written down once and is read many times');

/** Yields the span in pieces of five bytes and fails after `pieces` of them. */
async function* breaking({ start, end }: ByteSpan, pieces: number) {
  for (let at = start, sent = 0; at <= end; at += 5, sent += 1) {
    if (sent === pieces) throw new Error('the line broke');
    yield await Promise.resolve(bytes.subarray(at, Math.min(at + 5, end + 1)));
  }
}

async function read(
  span: ByteSpan,
  pieces: number,
  go: (rest: ByteSpan) => Promise<AsyncIterable<Uint8Array> | undefined>,
) {
  const all: Uint8Array[] = [];
  for await (const chunk of readResumably(breaking(span, pieces), span, go)) all.push(chunk);
  return Buffer.concat(all).toString();
}

const whole = { start: 0, end: bytes.length - 1 };

test('an interrupted read resumes at the next byte, as often as it makes progress', async () => {
  const requestedSpans: ByteSpan[] = [];
  const go = async (rest: ByteSpan) => {
    requestedSpans.push(rest);
    return breaking(rest, 2);
  };
  await expect(read(whole, 2, go)).resolves.toBe(bytes.toString());
  expect(requestedSpans.map(({ start }) => start)).toEqual([10, 20, 30, 40]);
  await expect(read({ start: 3, end: 30 }, 1, go)).resolves.toBe(bytes.subarray(3, 31).toString());
});

test('a premature end does not count as the end', async () => {
  const short = async function* () {
    yield await Promise.resolve(bytes.subarray(0, 7));
  };
  const all: Uint8Array[] = [];
  for await (const chunk of readResumably(short(), whole, async (rest) => breaking(rest, 100))) all.push(chunk);
  expect(Buffer.concat(all).equals(bytes)).toBe(true);
});

test('a read is given up if no more arrives, or the object is gone', async () => {
  let tries = 0;
  const never = async (rest: ByteSpan) => {
    tries += 1;
    return breaking(rest, 0);
  };
  await expect(read(whole, 1, never)).rejects.toThrow('the line broke');
  expect(tries).toBe(3);
  await expect(read(whole, 1, async () => undefined)).rejects.toThrow('the line broke');
});

test('reading stops when the reader leaves', async () => {
  let requestedSpans = 0;
  const go = async () => {
    requestedSpans += 1;
    return undefined;
  };
  for await (const _ of readResumably(breaking(whole, 3), whole, go)) break;
  expect(requestedSpans).toBe(0);
});
