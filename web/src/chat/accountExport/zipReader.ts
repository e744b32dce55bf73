import { BlobReader, BlobWriter, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { ExportFileError } from './ExportFileError.ts';

/** Reads zip archives piece by piece, so that an archive of any size fits in memory. */

export interface ZipArchive {
  readonly entries: ReadonlyMap<string, Pick<FileEntry, 'uncompressedSize'>>;
  /** Yields the bytes of an entry. @throws ExportFileError `damaged` unless they are as the directory says */
  read(name: string): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Returns the bytes of an entry. @throws ExportFileError `damaged` */
  part(name: string): Promise<Blob>;
}

const options = { useWebWorkers: false, checkSignature: true } as const;

/** Returns the error for a failure: that of the device, if it cannot read the file, otherwise `damaged`. */
const toError = (error: unknown): unknown => (error instanceof DOMException ? error : new ExportFileError('damaged'));

/** First bytes of an archive that has entries. */
const startsAsZip = async (file: Blob): Promise<boolean> => (await file.slice(0, 4).text()) === 'PK\u0003\u0004';

async function listEntries(file: Blob): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for (const entry of await new ZipReader(new BlobReader(file), options).getEntries()) {
    if (entry.directory || entries.has(entry.filename)) throw new ExportFileError('damaged');
    entries.set(entry.filename, entry);
  }
  return entries;
}

/** Opens an archive. @throws ExportFileError `not_export` for another kind of file, `damaged` for a broken one */
export async function openZip(file: Blob): Promise<ZipArchive> {
  if (!(await startsAsZip(file))) throw new ExportFileError('not_export');
  const entries = await listEntries(file).catch((error: unknown) => {
    throw toError(error);
  });
  const find = (name: string): FileEntry => {
    const entry = entries.get(name);
    if (!entry) throw new ExportFileError('damaged');
    return entry;
  };
  return {
    entries,
    async *read(name) {
      const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
      const reader = readable.getReader();
      const written = find(name).getData(writable, options);
      // The reader itself would wait forever after a failure.
      const failed = new Promise<never>((_, reject) => void written.catch(reject));
      failed.catch(() => undefined);
      try {
        for (;;) {
          const next = await Promise.race([reader.read(), failed]);
          if (next.done) break;
          yield next.value;
        }
        await written;
      } catch (error) {
        throw toError(error);
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    },
    async part(name) {
      try {
        return await find(name).getData(new BlobWriter(), options);
      } catch (error) {
        throw toError(error);
      }
    },
  };
}
