/** As many bytes as one piece has. */
export const pieceBytes = 1_000_000;

/** One of the pieces of a file that both the browser and the test can make, so that nobody has to keep it. */
export function seededPiece(index: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(pieceBytes / 4);
  // xorshift32, begun elsewhere for each piece; it never comes from anything but zero to zero.
  let state = Math.imul(index + 1, 2_654_435_761) || 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer);
}
