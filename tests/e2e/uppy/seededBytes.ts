/** Size of one piece, in bytes. */
export const pieceBytes = 1_000_000;

/** Generates a piece of a file that both the browser and the test can compute, so that nothing has to be stored. */
export function createSeededPiece(index: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(pieceBytes / 4);
  // xorshift32 with a different start for each piece. The state becomes zero only from zero.
  let state = Math.imul(index + 1, 2_654_435_761) || 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer);
}
