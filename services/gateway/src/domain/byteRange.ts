/** A range as the files service takes it: without a start the last `end` bytes. */
export interface ByteRange {
  start: number | undefined;
  end: number | undefined;
}

/** No range that names bytes of a file is longer; a search in more blanks than that would take long. */
const longest = 100;

/**
 * The one range that a request asks for. Undefined where it asks for none, for several (which nobody needs here), or in a
 * way that is none: all of these get the whole (RFC 9110, section 14.2).
 */
export function parseRange(header: string | undefined): ByteRange | undefined {
  if (header === undefined || header.length > longest) return undefined;
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  const range = { start: first === '' ? undefined : Number(first), end: last === '' ? undefined : Number(last) };
  return range.start !== undefined && range.end !== undefined && range.end < range.start ? undefined : range;
}
