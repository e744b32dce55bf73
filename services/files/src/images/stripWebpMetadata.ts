/** Flags of an extended header, and the only one that a still picture needs (WebP container, section 2.7). */
const extendedBytes = 10;
const alphaFlag = 0x10;

/** Chunks of a still picture, without metadata, profiles and animations. */
const needed: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH']);

/**
 * Strips a WebP to its pixels: no metadata, and nothing after its end. Returns undefined if it is invalid, truncated or
 * animated.
 */
export function stripWebpMetadata(given: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  let extended: Buffer | undefined;
  let pictures = 0;
  let alpha = false;
  for (let at = 12; at < end;) {
    if (at + 8 > end) return undefined;
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (next > end) return undefined;
    if (type === 'ANIM' || type === 'ANMF') return undefined;
    if (type === 'VP8X') {
      if (at !== 12 || size !== extendedBytes) return undefined;
      extended = Buffer.from(bytes.subarray(at, next));
    } else if (needed.has(type)) {
      kept.push(bytes.subarray(at, next));
      if (type === 'ALPH') alpha = true;
      else pictures += 1;
    }
    at = next;
  }
  if (pictures !== 1 || (alpha && !extended)) return undefined;
  if (extended && alpha) {
    extended.writeUInt32LE(alphaFlag, 8);
    kept.unshift(extended);
  }
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  const whole = Buffer.concat([header, ...kept]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
