/** The part of compress-commons that is used here; the package has no types of its own. */
declare module 'compress-commons' {
  import type { Readable } from 'node:stream';

  export class ZipArchiveEntry {
    constructor(name: string);
    /** 0 stores, 8 deflates. */
    setMethod(method: 0 | 8): void;
    setTime(time: Date): void;
  }

  export class ZipArchiveOutputStream extends Readable {
    constructor(options?: { zlib?: { level?: number } });
    /** One at a time; answers once all of it has been taken. */
    entry(entry: ZipArchiveEntry, source: Readable, done: (error: Error | null | undefined) => void): this;
    /** Writes what ends the archive. */
    finish(): void;
  }

  const commons: {
    ZipArchiveEntry: typeof ZipArchiveEntry;
    ZipArchiveOutputStream: typeof ZipArchiveOutputStream;
  };
  export default commons;
}
