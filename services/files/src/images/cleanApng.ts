import { crc32 } from 'node:zlib';

/** Chunks that say how a PNG looks and moves. */
const kept: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'bKGD',
  'pHYs',
  'acTL',
  'fcTL',
  'fdAT',
]);

/** An animated PNG without what it says besides its pictures. */
export interface CleanApng {
  readonly bytes: Buffer;
  /** Pictures in it, as many as there are and not as it says. */
  readonly frames: number;
}

/** Takes notes out of an animated PNG, byte for byte; undefined for a file that is damaged or cut off. */
export function cleanApng(file: Uint8Array): CleanApng | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const parts = [bytes.subarray(0, 8)];
  let frames = 0;
  for (let at = 8; at + 12 <= bytes.length;) {
    const dataEnd = at + 8 + bytes.readUInt32BE(at);
    if (dataEnd + 4 > bytes.length) return undefined;
    if (crc32(bytes.subarray(at + 4, dataEnd)) !== bytes.readUInt32BE(dataEnd)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'fcTL') frames += 1;
    if (kept.has(type)) parts.push(bytes.subarray(at, dataEnd + 4));
    if (type === 'IEND') return { bytes: Buffer.concat(parts), frames };
    at = dataEnd + 4;
  }
  return undefined;
}
