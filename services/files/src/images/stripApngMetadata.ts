import { crc32 } from 'node:zlib';
import { imageTooLarge } from '../errors.ts';

/** Chunks that define a PNG's pixels and animation. Color profiles are excluded because they can contain metadata. */
const kept: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'sBIT',
  'sRGB',
  'bKGD',
  'pHYs',
  'acTL',
  'fcTL',
  'fdAT',
]);

/** Maximum number of frames; ten minutes at 15 frames per second have fewer. */
const maxFrames = 10_000;
/** Maximum number of chunks. Encoders write chunks of at least 4 KiB, of which the largest picture has about 16,000. */
const maxChunks = 65_536;

/** Animated PNG without metadata. */
export interface StrippedApng {
  readonly bytes: Buffer;
  /** Actual number of frames, not the declared one. */
  readonly frames: number;
}

/** Returns true if a frame (`fcTL`) is inside the picture (`IHDR`). */
function fits(frame: Buffer, header: Buffer): boolean {
  if (frame.length !== 26) return false;
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => frame.readUInt32BE(at)) as [number, number, number, number];
  const within = x + width <= header.readUInt32BE(0) && y + height <= header.readUInt32BE(4);
  return width > 0 && height > 0 && within;
}

/**
 * Removes metadata from an animated PNG byte by byte. The pixels of its frames (`fdAT`) are not decoded here, but by
 * its viewers.
 *
 * @returns undefined for a damaged or truncated file
 * @throws AppError image_too_large for too many frames or chunks
 */
export function stripApngMetadata(file: Uint8Array): StrippedApng | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const keptChunks = [bytes.subarray(0, 8)];
  let frames = 0;
  let chunks = 0;
  let header: Buffer | undefined;
  for (let at = 8; at + 12 <= bytes.length;) {
    const dataEnd = at + 8 + bytes.readUInt32BE(at);
    if (dataEnd + 4 > bytes.length) return undefined;
    if (crc32(bytes.subarray(at + 4, dataEnd)) !== bytes.readUInt32BE(dataEnd)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, dataEnd);
    if (header === undefined) {
      if (type !== 'IHDR' || data.length !== 13) return undefined;
      header = data;
    }
    if (type === 'fcTL') {
      if (!fits(data, header)) return undefined;
      frames += 1;
    }
    chunks += 1;
    if (frames > maxFrames || chunks > maxChunks) throw imageTooLarge();
    if (kept.has(type)) keptChunks.push(bytes.subarray(at, dataEnd + 4));
    if (type === 'IEND') return { bytes: Buffer.concat(keptChunks), frames };
    at = dataEnd + 4;
  }
  return undefined;
}
