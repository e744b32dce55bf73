import { crc32 } from 'node:zlib';
import { imageTooLarge } from '../errors.ts';

/** Chunks that say how a PNG looks and moves. Colour profiles are not among them, for they can hold notes. */
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

/** Ten minutes of 15 pictures a second have fewer. */
const maxFrames = 10_000;
/** Encoders write pieces of 4 KiB and more, of which the largest picture has some 16,000. */
const maxChunks = 65_536;

/** An animated PNG without what it says besides its pictures. */
export interface CleanApng {
  readonly bytes: Buffer;
  /** Pictures in it, as many as there are and not as it says. */
  readonly frames: number;
}

/** Whether a frame (`fcTL`) lies within the picture (`IHDR`). */
function fits(frame: Buffer, header: Buffer): boolean {
  if (frame.length !== 26) return false;
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => frame.readUInt32BE(at)) as [number, number, number, number];
  const within = x + width <= header.readUInt32BE(0) && y + height <= header.readUInt32BE(4);
  return width > 0 && height > 0 && within;
}

/**
 * Takes notes out of an animated PNG, byte for byte. The pixels of its frames (`fdAT`) are not decoded here, but by those
 * who look at it.
 *
 * @returns undefined for a file that is damaged or cut off
 * @throws AppError image_too_large for one of too many frames or chunks
 */
export function cleanApng(file: Uint8Array): CleanApng | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const parts = [bytes.subarray(0, 8)];
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
    if (kept.has(type)) parts.push(bytes.subarray(at, dataEnd + 4));
    if (type === 'IEND') return { bytes: Buffer.concat(parts), frames };
    at = dataEnd + 4;
  }
  return undefined;
}
