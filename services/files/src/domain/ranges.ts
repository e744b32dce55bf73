/** Byte range, inclusive at both ends. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Requested range: without a start, the last `end` bytes; without an end, everything from `start`. */
export interface RequestedRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Returns the requested bytes of a whole (RFC 9110, section 14.1.2). Undefined if the range is empty. */
export function resolveRange(size: number, wanted: RequestedRange | undefined): ByteSpan | undefined {
  if (wanted === undefined) return { start: 0, end: size - 1 };
  const { start, end } = wanted;
  if (start === undefined) {
    if (end === undefined || end <= 0 || size === 0) return undefined;
    return { start: Math.max(0, size - end), end: size - 1 };
  }
  if (start < 0 || start >= size || (end !== undefined && end < start)) return undefined;
  return { start, end: Math.min(end ?? size - 1, size - 1) };
}
