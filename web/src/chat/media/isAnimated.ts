const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Returns true if a PNG declares several frames (acTL), which comes before its image data. */
function pngMoves(bytes: Uint8Array): boolean {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + data.getUint32(at)) {
    const type = ascii(bytes, at + 4, 4);
    if (type === 'acTL') return data.getUint32(at + 8) > 1;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Returns true if a picture may be animated: by the PNG chunk, the WebP flag, or the AVIF brand. Every GIF may be. */
export function isAnimated(bytes: Uint8Array, type: string): boolean {
  if (type === 'image/gif') return true;
  if (type === 'image/png') return pngMoves(bytes);
  if (type === 'image/avif') return ascii(bytes, 4, 8) === 'ftypavis';
  return type === 'image/webp' && ascii(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0;
}
