/** From a byte to a byte, both of them included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a reader asks for: without a start the last `end` bytes, without an end all from `start` on. */
export interface Wanted {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The bytes of a whole that are asked for (RFC 9110, section 14.1.2), or undefined where there are none. */
export function spanOf(size: number, wanted: Wanted | undefined): Span | undefined {
  if (wanted === undefined) return { start: 0, end: size - 1 };
  const { start, end } = wanted;
  if (start === undefined) {
    if (end === undefined || end <= 0 || size === 0) return undefined;
    return { start: Math.max(0, size - end), end: size - 1 };
  }
  if (start < 0 || start >= size || (end !== undefined && end < start)) return undefined;
  return { start, end: Math.min(end ?? size - 1, size - 1) };
}
