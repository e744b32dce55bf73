/**
 * Maximum characters to parse. Longer texts appear as written: parsing them takes noticeable time, and people do not
 * mark up that much by hand.
 */
const maxMarkupLength = 4_000;
const maxMarkupLines = 120;
/** Maximum markup characters. More is not writing but an attempt to overload the parser. */
const maxMarkupTokens = 200;

const markupCharacter = /[*_~`>[\]]/gu;
/** Anything that could be markup: paired marks around words, a quote, a list, or a named link. */
const candidate = /[*_~`]|^[ \t]{0,3}(?:>|[-+][ \t]|\d{1,9}[.)][ \t])|\]\(/mu;
/** Deeply nested quotes and lists: for each further level, every line costs as much as all text before it. */
const deep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){7}/mu;

/** Returns true if a text may have markup and can be parsed without a noticeable delay. */
export function isMarkupCandidate(text: string): boolean {
  if (text.length > maxMarkupLength || !candidate.test(text)) return false;
  if (deep.test(text) || text.split('\n', maxMarkupLines + 1).length > maxMarkupLines) return false;
  return (text.match(markupCharacter)?.length ?? 0) <= maxMarkupTokens;
}
