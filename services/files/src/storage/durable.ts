import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storageFull, storageUnavailable } from '../errors.ts';

const flushBytes = 256 * 1024;

export function isMissingFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Converts temporary disk errors to errors that say so. */
export function toOutageError(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFull(error);
  return ['EIO', 'EROFS', 'ESTALE', 'EMFILE', 'ENFILE'].includes(code ?? '') ? storageUnavailable(error) : error;
}

export async function syncFolder(folder: string): Promise<void> {
  // A rename is durable only once its folder is synced.
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and its parents, all of them durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Writes a new file that survives a power failure. @returns the number of bytes. */
export async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of bytes) {
      await handle.appendFile(chunk);
      size += chunk.length;
    }
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

/** Reads `count` bytes from `start`; closes the file at the end. */
export async function* readBytes(handle: FileHandle, start: number, count: number): AsyncGenerator<Uint8Array> {
  try {
    let left = count;
    for (let at = start; left > 0;) {
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(Math.min(flushBytes, left)),
        0,
        Math.min(flushBytes, left),
        at,
      );
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
      left -= bytesRead;
    }
  } finally {
    await handle.close();
  }
}
