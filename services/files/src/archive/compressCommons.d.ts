/** Types of the part of compress-commons used here; the package has none. */
declare module 'compress-commons' {
  import type { Readable } from 'node:stream';

  export class ZipArchiveEntry {
    constructor(name: string);
    /** Compression method: 0 stores, 8 deflates. */
    setMethod(method: 0 | 8): void;
    setTime(time: Date): void;
  }

  export class ZipArchiveOutputStream extends Readable {
    constructor(options?: { zlib?: { level?: number } });
    /** Adds one entry at a time; calls `done` when it is fully consumed. */
    entry(entry: ZipArchiveEntry, source: Readable, done: (error: Error | null | undefined) => void): this;
    /** Writes the end of the archive. */
    finish(): void;
  }

  const commons: {
    ZipArchiveEntry: typeof ZipArchiveEntry;
    ZipArchiveOutputStream: typeof ZipArchiveOutputStream;
  };
  export default commons;
}
