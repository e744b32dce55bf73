import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Search for a word in everything that a Nolo stores and passes on. */

/** Returns the forms that a word of lower-case letters and digits may have among other bytes, by their names. */
export function formsOf(word: string): Record<string, Buffer> {
  const bytes = Buffer.from(word);
  const wide = Buffer.from(word, 'utf16le');
  // Text before a word changes its first digits in base64, and text after it changes the last ones.
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : offset + 1, -4),
  );
  return {
    plain: bytes,
    'upper case': Buffer.from(word.toUpperCase()),
    hex: Buffer.from(bytes.toString('hex')),
    'upper-case hex': Buffer.from(bytes.toString('hex').toUpperCase()),
    'UTF-16, little-endian': wide,
    'UTF-16, big-endian': Buffer.from(wide).swap16(),
    ...Object.fromEntries(inBase64.map((digits, offset) => [`base64 at ${offset}`, Buffer.from(digits)])),
  };
}

/** Returns the form in which bytes have a word, and what stands around it; undefined if they do not have it. */
export function findWord(bytes: Buffer, word: string): string | undefined {
  for (const [form, searched] of Object.entries(formsOf(word))) {
    const at = bytes.indexOf(searched);
    if (at >= 0)
      return `${form}: ${bytes.subarray(Math.max(0, at - 80), at + searched.length + 40).toString('latin1')}`;
  }
  return undefined;
}

/** Yields the path and content of each file in a folder and those below. */
export function* readFiles(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry);
    if (statSync(path).isFile()) yield { path, bytes: readFileSync(path) };
  }
}

/**
 * Opens a connection on which a store writes everything that passes through it, and answers NATS's questions whether it
 * is still there.
 *
 * @param hello lines to write first
 */
export async function openTap(url: string, hello: (address: URL) => string) {
  const address = new URL(url);
  const chunks: Buffer[] = [];
  const socket = connect(Number(address.port), address.hostname);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunk.includes('PING\r\n')) socket.write('PONG\r\n');
  });
  // The store ends before the tap.
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.write(hello(address));
  });
  return {
    bytes: () => Buffer.concat(chunks),
    close: () => socket.destroy(),
  };
}
