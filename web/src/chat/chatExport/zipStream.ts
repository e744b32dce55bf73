import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { ExportSink } from './exportSink.ts';

/** Maximum bytes of an archive. Larger ones need ZIP64, which not every program supports. */
export const maxArchiveBytes = 4_000_000_000;

export interface ZipStream {
  /** Adds compressed text. */
  text: (path: string, chunks: AsyncIterable<string> | Iterable<string>) => Promise<void>;
  /** Adds uncompressed bytes, because pictures and films are already compressed. */
  bytes: (path: string, body: Blob) => Promise<void>;
  size: () => number;
  finish: () => Promise<void>;
}

/** Creates an archive. Each piece goes to the sink before the next is created. */
export function createZipStream(sink: ExportSink, signal: AbortSignal): ZipStream {
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const zip = new Zip((error, bytes) => {
    if (error) {
      writing = writing.then(() => Promise.reject(error));
      return;
    }
    written += bytes.length;
    writing = writing.then(() => sink.write(bytes));
  });
  const encoder = new TextEncoder();

  const entry = async (file: ZipDeflate | ZipPassThrough, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    zip.add(file);
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      file.push(chunk);
      await writing;
    }
    file.push(new Uint8Array(0), true);
    await writing;
  };

  return {
    text: (path, chunks) =>
      entry(
        new ZipDeflate(path),
        (async function* () {
          for await (const chunk of chunks) yield encoder.encode(chunk);
        })(),
      ),
    bytes: (path, body) =>
      entry(
        new ZipPassThrough(path),
        (async function* () {
          const reader = body.stream().getReader();
          for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
        })(),
      ),
    size: () => written,
    async finish() {
      signal.throwIfAborted();
      zip.end();
      await writing;
    },
  };
}
