import { Readable } from 'node:stream';
import commons from 'compress-commons';

export interface ZipWriter {
  /** Archive bytes as they are produced. Nothing is buffered, so adding waits for the reader. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Adds a file, one at a time. Compressed data is only stored. */
  add(name: string, content: AsyncIterable<Uint8Array>, how?: { readonly stored: boolean }): Promise<void>;
  finish(): void;
  /** Aborts the archive: its reader fails with this error. */
  destroy(error: Error): void;
}

/** Creates a streamed zip archive of any size (ZIP64), in constant memory except for the entry names. */
export function createZipWriter(at: Date): ZipWriter {
  const output = new commons.ZipArchiveOutputStream({ zlib: { level: 6 } });
  // The reader receives the error; until it reads, the error must not be unhandled.
  output.on('error', () => undefined);
  return {
    bytes: output,
    add: (name, content, { stored } = { stored: false }) =>
      new Promise((resolve, reject) => {
        const entry = new commons.ZipArchiveEntry(name);
        entry.setMethod(stored ? 0 : 8);
        entry.setTime(at);
        const source = Readable.from(content, { objectMode: false });
        // A broken archive consumes no more, so its source has to be released.
        const broken = () => {
          source.destroy();
          reject(new Error('The archive was interrupted.'));
        };
        output.once('close', broken);
        output.entry(entry, source, (error) => {
          output.off('close', broken);
          if (error) reject(error);
          else resolve();
        });
      }),
    finish: () => output.finish(),
    destroy: (error) => void output.destroy(error),
  };
}

const blockBytes = 64 * 1024;

/** Groups text into blocks, so that a line is not a separate step through the stream. */
export async function* toTextBlocks(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  let block: string[] = [];
  let length = 0;
  for await (const text of texts) {
    block.push(text);
    length += text.length;
    if (length < blockBytes) continue;
    yield Buffer.from(block.join(''));
    block = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(block.join(''));
}

/** Formats one JSON object per line. */
export async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
