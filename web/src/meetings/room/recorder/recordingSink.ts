/** Where the pieces of a recording go. */
export interface RecordingSink {
  readonly bytes: number;
  /** Rejects once there is no room for more. */
  write(piece: Blob): Promise<void>;
  /** The whole file, or null where it is on the disk. */
  finish(): Promise<Blob | null>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** There is no room for more: what was written until then is kept. */
export class SinkFull extends Error {
  override readonly name = 'SinkFull';
}

/** The part of FileSystemFileHandle that is needed; `remove` is not everywhere. */
export interface WritableHandle {
  readonly name: string;
  createWritable(): Promise<{ write(piece: Blob): Promise<void>; close(): Promise<void>; abort(): Promise<void> }>;
  remove?(): Promise<void>;
}

/** Straight to the disk, piece by piece: memory holds only what is on the way. */
export async function fileSink(handle: WritableHandle): Promise<RecordingSink> {
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
        if (failed) throw new SinkFull();
        try {
          await stream.write(piece);
        } catch (error) {
          failed = true;
          throw new SinkFull('The file takes no more.', { cause: error });
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

/** In the browser's own store of blobs, up to so many bytes, for a download afterwards. */
export function memorySink(type: string, most: number): RecordingSink {
  let pieces: Blob[] = [];
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(piece) {
      if (bytes + piece.size > most) throw new SinkFull();
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
