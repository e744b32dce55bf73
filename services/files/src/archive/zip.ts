import { Readable } from 'node:stream';
import commons from 'compress-commons';

export interface Zip {
  /** The archive as it comes about; nothing is gathered, so whoever adds waits for whoever reads. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Adds a file, one after the other. What is compressed already is only stored. */
  add(name: string, content: AsyncIterable<Uint8Array>, how?: { readonly stored: boolean }): Promise<void>;
  finish(): void;
  /** Ends the archive as broken: whoever reads it fails with this. */
  destroy(error: Error): void;
}

/** A zip archive in a stream, of any size (ZIP64), in constant memory but for the names of what is in it. */
export function createZip(at: Date): Zip {
  const output = new commons.ZipArchiveOutputStream({ zlib: { level: 6 } });
  // Whoever reads is told; until then nobody is.
  output.on('error', () => undefined);
  return {
    bytes: output,
    add: (name, content, { stored } = { stored: false }) =>
      new Promise((resolve, reject) => {
        const entry = new commons.ZipArchiveEntry(name);
        entry.setMethod(stored ? 0 : 8);
        entry.setTime(at);
        const source = Readable.from(content, { objectMode: false });
        // Where the archive broke off nobody takes the rest, and what is read from has to be let go.
        const broken = () => {
          source.destroy();
          reject(new Error('The archive broke off.'));
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

/** Text in blocks, so that a line is no step of its own through the stream. */
export async function* inBlocks(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
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

/** A JSON object in each line. */
export async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
