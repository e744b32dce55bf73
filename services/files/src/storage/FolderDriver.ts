import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '@nolo/kit/clock';
import type { StorageDriver, StorageKey } from '../domain/ports.ts';
import { storageFull, storageUnavailable } from '../errors.ts';

const partBytes = 64 * 1024;
const keyForm = /^(uploads|objects)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The disk's own troubles, which pass, as errors that say so. */
function asOutage(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFull(error);
  return ['EIO', 'EROFS', 'ESTALE', 'EMFILE', 'ENFILE'].includes(code ?? '') ? storageUnavailable(error) : error;
}

async function syncFolder(folder: string): Promise<void> {
  // A rename is durable only once the folder that holds the name is.
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and those above it, all of them as durable as what will lie in them. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function* partsOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(partBytes), 0, partBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Bytes in a folder, for one machine or a shared volume. Files are written beside their place and
 * renamed into it, so a reader sees the old bytes or the new ones and never half of them.
 */
export class FolderDriver implements StorageDriver {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #clock: Clock;

  /** @param clock the one that the file system stamps its files with; another is for tests of the cleaning. */
  constructor(folder: string, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#folder = folder;
    // In the same folder, because a rename cannot cross file systems.
    this.#temporary = join(folder, 'temporary');
  }

  async put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.#pathOf(key);
    const temporary = join(this.#temporary, randomUUID());
    try {
      await makeFolder(dirname(path));
      await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
      const size = await this.#write(temporary, bytes);
      await rename(temporary, path);
      await syncFolder(dirname(path));
      return size;
    } catch (error) {
      await rm(temporary, { force: true });
      throw asOutage(error);
    }
  }

  async get(key: StorageKey): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      return partsOf(await open(this.#pathOf(key), constants.O_RDONLY));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw asOutage(error);
    }
  }

  async delete(key: StorageKey): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async clean(olderThanMs: number): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - olderThanMs);
    const names = await readdir(this.#temporary).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names) {
      const path = join(this.#temporary, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  async #write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const handle = await open(path, 'wx', 0o600);
    try {
      let size = 0;
      for await (const part of bytes) {
        await handle.appendFile(part);
        size += part.length;
      }
      await handle.sync();
      return size;
    } finally {
      await handle.close();
    }
  }

  /** The end of a version 7 UUID is random, its beginning is the time, so the end spreads the files. */
  #pathOf(key: StorageKey): string {
    const [, kind, id] = keyForm.exec(key) ?? [];
    if (kind === undefined || id === undefined) throw new Error('That is no storage key.');
    return join(this.#folder, kind, id.slice(-2), id.slice(-4, -2), id);
  }
}
