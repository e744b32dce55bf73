/**
 * Returns 32 bits in place of a text, so that a checker can store a million messages. Two different texts match one
 * time in four billion.
 */
export function fingerprint(...texts: readonly (string | null)[]): number {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    const whole = text ?? '\u0001';
    for (let index = 0; index < whole.length; index += 1) {
      hash = Math.imul(hash ^ whole.charCodeAt(index), 0x01000193);
    }
    // Distinguishes "ab", "c" from "a", "bc".
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  // 0 means unknown.
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}

/** Array of numbers with four bytes each; unset places contain 0. */
export class SparseNumbers {
  #values = new Uint32Array(64);

  get(place: number): number {
    return this.#values[place] ?? 0;
  }

  set(place: number, value: number): void {
    if (place >= this.#values.length) {
      const more = new Uint32Array(Math.max(place + 1, this.#values.length * 2));
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[place] = value;
  }

  clear(): void {
    this.#values = new Uint32Array(64);
  }
}
