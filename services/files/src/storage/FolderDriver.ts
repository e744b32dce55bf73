import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '@nolo/kit/clock';
import type { MultipartUploadTarget, StorageDriver, StorageKey } from '../domain/ports.ts';
import type { ByteSpan } from '../domain/ranges.ts';
import type { UploadedPart } from '../domain/sharedPorts.ts';
import { toOutageError, readBytes, isMissingFileError, makeFolder, syncFolder, writeDurably } from './durable.ts';
import { listLatestPartFiles, partFileName, listPartFiles, toSlices, type PartFile } from './partFiles.ts';

const keyForm = /^(uploads|objects)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\.(?:image|\d{2,4}))?$/;

interface Found {
  readonly size: number;
  /** Parts of a multipart object, which stay separate files. */
  readonly parts: readonly PartFile[] | undefined;
}

/**
 * Stores bytes in a folder, for one machine or a shared volume. Files are written next to their location and renamed,
 * so a reader sees either the old or the new bytes.
 *
 * Parts are in a separate folder, which becomes the object when renamed: nothing is copied, whatever its size, and
 * reads continue from one part to the next.
 */
export class FolderDriver implements StorageDriver {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #clock: Clock;

  /** @param clock the one that the file system uses for timestamps; tests of the cleanup use another. */
  constructor(folder: string, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#folder = folder;
    // The temporary folder is inside this folder because a rename cannot cross file systems.
    this.#temporary = join(folder, 'temporary');
  }

  async put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.#pathOf(key);
    return this.#written(bytes, async (temporary, size) => {
      await makeFolder(dirname(path));
      await rename(temporary, path);
      await syncFolder(dirname(path));
      return size;
    });
  }

  async get(key: StorageKey, span?: ByteSpan): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      const path = this.#pathOf(key);
      const found = await this.#find(path);
      if (!found) return undefined;
      const { start, end } = span ?? { start: 0, end: found.size - 1 };
      if (found.parts) return this.#partsOf(path, found.parts, { start, end });
      return readBytes(await open(path, constants.O_RDONLY), start, Math.min(end, found.size - 1) - start + 1);
    } catch (error) {
      if (isMissingFileError(error)) return undefined;
      throw toOutageError(error);
    }
  }

  async size(key: StorageKey): Promise<number | undefined> {
    return (await this.#find(this.#pathOf(key)))?.size;
  }

  async move(from: StorageKey, to: StorageKey): Promise<void> {
    const [source, target] = [this.#pathOf(from), this.#pathOf(to)];
    try {
      await makeFolder(dirname(target));
      await rename(source, target);
      await syncFolder(dirname(target));
    } catch (error) {
      if (!isMissingFileError(error)) throw toOutageError(error);
    }
  }

  async delete(key: StorageKey): Promise<void> {
    await rm(this.#pathOf(key), { force: true, recursive: true });
  }

  async clean(olderThanMs: number): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - olderThanMs);
    const names = await readdir(this.#temporary).catch((error: unknown) => {
      if (isMissingFileError(error)) return [];
      throw error;
    });
    for (const name of names) {
      const path = join(this.#temporary, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  async beginParts(key: StorageKey): Promise<string> {
    // The key contains all necessary information.
    return Promise.resolve(this.#pathOf(key).slice(-36));
  }

  async putPart(
    { key }: MultipartUploadTarget,
    number: number,
    _size: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<UploadedPart> {
    const folder = this.#partsFolderOf(key);
    // An entity tag like that of S3; MD5 is sufficient because an uploader may repeat a part.
    const digest = createHash('md5');
    const hashed = async function* () {
      for await (const chunk of bytes) {
        digest.update(chunk);
        yield chunk;
      }
    };
    return this.#written(hashed(), async (temporary, size) => {
      const part = { number, size, etag: `"${digest.digest('hex')}"` };
      await makeFolder(folder);
      // Equal bytes have the same name; different bytes coexist until the client chooses.
      await rename(temporary, join(folder, partFileName(part)));
      await syncFolder(folder);
      return part;
    });
  }

  async listParts({ key }: MultipartUploadTarget): Promise<UploadedPart[] | undefined> {
    try {
      const parts = await listLatestPartFiles(this.#partsFolderOf(key));
      return parts.map(({ number, size, etag }) => ({ number, size, etag }));
    } catch (error) {
      // The folder does not exist before the first part.
      if (isMissingFileError(error)) return [];
      throw toOutageError(error);
    }
  }

  async completeParts({ key }: MultipartUploadTarget, parts: readonly UploadedPart[]): Promise<void> {
    const [folder, path] = [this.#partsFolderOf(key), this.#pathOf(key)];
    try {
      const chosen = new Set(parts.map(partFileName));
      for (const { name } of await listPartFiles(folder)) {
        if (!chosen.has(name)) await rm(join(folder, name), { force: true });
      }
      await makeFolder(dirname(path));
      await rename(folder, path);
      await syncFolder(dirname(path));
    } catch (error) {
      // An earlier attempt already did this.
      if (isMissingFileError(error) && (await this.#find(path))) return;
      throw toOutageError(error);
    }
  }

  async abandonParts({ key }: MultipartUploadTarget): Promise<void> {
    await rm(this.#partsFolderOf(key), { force: true, recursive: true });
  }

  async addressOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async addressOfPart(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Writes next to the location, and leaves nothing there if writing or placing fails. */
  async #written<T>(
    bytes: AsyncIterable<Uint8Array>,
    place: (temporary: string, size: number) => Promise<T>,
  ): Promise<T> {
    const temporary = join(this.#temporary, randomUUID());
    try {
      await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
      return await place(temporary, await writeDurably(temporary, bytes));
    } catch (error) {
      await rm(temporary, { force: true });
      throw toOutageError(error);
    }
  }

  async #find(path: string): Promise<Found | undefined> {
    try {
      const found = await stat(path);
      if (!found.isDirectory()) return { size: found.size, parts: undefined };
      const parts = await listPartFiles(path);
      return { size: parts.reduce((sum, { size }) => sum + size, 0), parts };
    } catch (error) {
      if (isMissingFileError(error)) return undefined;
      throw toOutageError(error);
    }
  }

  async *#partsOf(folder: string, parts: readonly PartFile[], span: ByteSpan): AsyncGenerator<Uint8Array> {
    for (const { path, start, count } of toSlices(folder, parts, span)) {
      yield* readBytes(await open(path, constants.O_RDONLY), start, count);
    }
  }

  /** The end of an ID is random in every UUID version that we create, so it distributes the files. */
  #pathOf(key: StorageKey): string {
    const [, kind, id, variant = ''] = keyForm.exec(key) ?? [];
    if (kind === undefined || id === undefined) throw new Error('This is not a storage key.');
    return join(this.#folder, kind, id.slice(-2), id.slice(-4, -2), `${id}${variant}`);
  }

  #partsFolderOf(key: StorageKey): string {
    const id = this.#pathOf(key).slice(-36);
    return join(this.#folder, 'parts', id.slice(-2), id.slice(-4, -2), id);
  }
}
