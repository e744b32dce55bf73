/** Destination of a recording's chunks. */
export interface RecordingSink {
  readonly bytes: number;
  /** Rejects when there is no more room. */
  write(piece: Blob): Promise<void>;
  /** Resolves to the whole file, or null if it is on disk. */
  finish(): Promise<Blob | null>;
  discard(): Promise<void>;
}

/** Thrown when there is no more room. Everything written before remains. */
export class RecordingSinkFullError extends Error {
  override readonly name = 'SinkFull';
}

/** Required part of FileSystemFileHandle. `remove` is not available everywhere. */
export interface WritableHandle {
  readonly name: string;
  createWritable(): Promise<{ write(piece: Blob): Promise<void>; close(): Promise<void>; abort(): Promise<void> }>;
  remove?(): Promise<void>;
}

/** Writes directly to disk, chunk by chunk, so that memory holds only what is in transit. */
export async function createFileSink(handle: WritableHandle): Promise<RecordingSink> {
  const stream = await handle.createWritable();
  let bytes = 0;
  let turn: Promise<void> = Promise.resolve();
  let failed = false;
  return {
    get bytes() {
      return bytes;
    },
    write(piece) {
      turn = turn.then(async () => {
        if (failed) throw new RecordingSinkFullError();
        try {
          await stream.write(piece);
        } catch (error) {
          failed = true;
          throw new RecordingSinkFullError('The file cannot be written any further.', { cause: error });
        }
        bytes += piece.size;
      });
      return turn;
    },
    async finish() {
      await turn.catch(() => undefined);
      await stream.close();
      return null;
    },
    async discard() {
      await turn.catch(() => undefined);
      await stream.abort().catch(() => undefined);
      await handle.remove?.().catch(() => undefined);
    },
  };
}

/** Stores chunks in the browser's blob storage, up to `maxBytes` bytes, for a later download. */
export function createMemorySink(type: string, maxBytes: number): RecordingSink {
  let pieces: Blob[] = [];
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(piece) {
      if (bytes + piece.size > maxBytes) throw new RecordingSinkFullError();
      pieces.push(piece);
      bytes += piece.size;
    },
    finish: async () => new Blob(pieces, { type }),
    async discard() {
      pieces = [];
      bytes = 0;
    },
  };
}
