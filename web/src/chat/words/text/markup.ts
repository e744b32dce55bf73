/**
 * Maximum characters to parse. Longer texts appear as written: parsing them takes noticeable time, and people do not
 * mark up that much by hand.
 */
const mostCharacters = 4_000;
const mostLines = 120;
/** Maximum markup characters. More is not writing but an attempt to overload the parser. */
const mostMarks = 200;

const mark = /[*_~`>[\]]/gu;
/** Anything that could be markup: paired marks around words, a quote, a list, or a named link. */
const candidate = /[*_~`]|^[ \t]{0,3}(?:>|[-+][ \t]|\d{1,9}[.)][ \t])|\]\(/mu;
/** Deeply nested quotes and lists: for each further level, every line costs as much as all text before it. */
const deep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){7}/mu;

/** Returns true if a text may have markup and can be parsed without a noticeable delay. */
export function mayHaveMarkup(text: string): boolean {
  if (text.length > mostCharacters || !candidate.test(text)) return false;
  if (deep.test(text) || text.split('\n', mostLines + 1).length > mostLines) return false;
  return (text.match(mark)?.length ?? 0) <= mostMarks;
}
