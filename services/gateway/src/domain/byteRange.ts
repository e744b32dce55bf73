/** Range in the format of the files service: without a start, the last `end` bytes. */
export interface ByteRange {
  start: number | undefined;
  end: number | undefined;
}

/** Maximum header length. Valid ranges are shorter, and searching through more blanks would take long. */
const longest = 100;

/**
 * Parses the single range of a request. Undefined if it has none, several (which nobody needs here), or an invalid one:
 * all of these get the whole (RFC 9110, section 14.2).
 */
export function parseRange(header: string | undefined): ByteRange | undefined {
  if (header === undefined || header.length > longest) return undefined;
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  const range = { start: first === '' ? undefined : Number(first), end: last === '' ? undefined : Number(last) };
  return range.start !== undefined && range.end !== undefined && range.end < range.start ? undefined : range;
}
