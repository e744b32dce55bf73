import { ExportFileError } from './ExportFileError.ts';

/** Reads zip archives (APPNOTE 6.3, with ZIP64) piece by piece, so that an archive of any size fits in memory. */

export interface ZipEntry {
  readonly name: string;
  /** Bytes once uncompressed. */
  readonly size: number;
  readonly isStored: boolean;
  readonly packedSize: number;
  readonly offset: number;
}

export interface ZipArchive {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Yields the bytes of an entry. @throws ExportFileError `damaged` unless they are as many as the archive says */
  read(entry: ZipEntry): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Returns the bytes of an entry that is not compressed, as a part of the file. @throws ExportFileError `damaged` */
  part(entry: ZipEntry): Promise<Blob>;
}

const signatures = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50, end64: 0x06064b50 } as const;
const endBytes = 22;
const locatorBytes = 20;
const headerBytes = 30;
const maxCommentBytes = 65_535;
/** Room for about half a million entries. */
const maxDirectoryBytes = 64 * 1024 * 1024;
/** Value of a 32-bit field whose number is in ZIP64's field. */
const elsewhere = 0xffff_ffff;

const damaged = () => new ExportFileError('damaged');

async function viewOf(file: Blob, from: number, length: number): Promise<DataView> {
  if (from < 0 || length < 0 || from + length > file.size) throw damaged();
  return new DataView(await file.slice(from, from + length).arrayBuffer());
}

function bigNumber(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged();
  return Number(value);
}

/** Finds the directory of entries. Its place is at the end, so an archive that was cut off has none. */
async function findDirectory(file: Blob): Promise<{ readonly from: number; readonly length: number }> {
  const start = await file.slice(0, 4).arrayBuffer();
  const isZip = start.byteLength === 4 && new DataView(start).getUint32(0, true) === signatures.entry;
  if (!isZip) throw new ExportFileError('not_export');
  const tailFrom = Math.max(0, file.size - endBytes - maxCommentBytes - locatorBytes);
  const tail = await viewOf(file, tailFrom, file.size - tailFrom);
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== signatures.end) continue;
    const [length, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (length !== elsewhere && from !== elsewhere) return { from, length };
    if (at < locatorBytes) throw damaged();
    const record = await viewOf(file, bigNumber(tail, at - locatorBytes + 8), 56);
    if (record.getUint32(0, true) !== signatures.end64) throw damaged();
    return { from: bigNumber(record, 48), length: bigNumber(record, 40) };
  }
  throw damaged();
}

/** Returns the numbers of ZIP64's field, in place of those that do not fit into 32 bits. */
function withBigNumbers(extra: DataView, numbers: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== elsewhere) return number;
      next += 8;
      return bigNumber(extra, next - 8);
    });
  }
  return [...numbers];
}

function readDirectory(directory: DataView): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < directory.byteLength;) {
    if (directory.getUint32(at, true) !== signatures.directory) throw damaged();
    const method = directory.getUint16(at + 10, true);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      directory.getUint16(at + field, true),
    ) as [number, number, number];
    const nameAt = directory.byteOffset + at + 46;
    const name = decoder.decode(new Uint8Array(directory.buffer, nameAt, nameBytes));
    const fields = [24, 20, 42].map((field) => directory.getUint32(at + field, true));
    const extra = new DataView(directory.buffer, nameAt + nameBytes, extraBytes);
    const [size, packedSize, offset] = withBigNumbers(extra, fields) as [number, number, number];
    const isStored = method === 0;
    if (entries.has(name) || (!isStored && method !== 8) || (isStored && size !== packedSize)) throw damaged();
    entries.set(name, { name, size, isStored, packedSize, offset });
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

async function packedPart(file: Blob, { offset, packedSize }: ZipEntry): Promise<Blob> {
  const header = await viewOf(file, offset, headerBytes);
  if (header.getUint32(0, true) !== signatures.entry) throw damaged();
  const from = offset + headerBytes + header.getUint16(26, true) + header.getUint16(28, true);
  if (from + packedSize > file.size) throw damaged();
  return file.slice(from, from + packedSize);
}

/** @throws ExportFileError `damaged` for bytes that are no compressed data, or a failure of the device */
async function* readPart(part: Blob, { isStored, size }: ZipEntry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = isStored ? part.stream() : part.stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = bytes.getReader();
  let count = 0;
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => {
        throw error instanceof TypeError ? damaged() : error;
      });
      if (next.done) break;
      count += next.value.length;
      if (count > size) throw damaged();
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (count !== size) throw damaged();
}

/** Opens an archive. @throws ExportFileError `not_export` if it is none, `damaged` if it is cut off or inconsistent */
export async function openZip(file: Blob): Promise<ZipArchive> {
  const { from, length } = await findDirectory(file);
  if (length > maxDirectoryBytes) throw damaged();
  const directory = await viewOf(file, from, length);
  let entries: Map<string, ZipEntry>;
  try {
    entries = readDirectory(directory);
  } catch (error) {
    // Lengths that point past the directory, and names that are no text.
    throw error instanceof RangeError || error instanceof TypeError ? damaged() : error;
  }
  return {
    entries,
    async *read(entry) {
      yield* readPart(await packedPart(file, entry), entry);
    },
    async part(entry) {
      if (!entry.isStored) throw damaged();
      return packedPart(file, entry);
    },
  };
}
