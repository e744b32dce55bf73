/** Longer texts are shown as they are written: taking them apart could be felt, and nobody marks up so much by hand. */
const mostCharacters = 4_000;
const mostLines = 120;
/** More marks than this are no writing but an attempt to keep the parser busy. */
const mostMarks = 200;

const mark = /[*_~`>[\]]/gu;
/** Anything that could be markup: a pair of marks around words, a quote, a list, a link with a name of its own. */
const candidate = /[*_~`]|^[ \t]{0,3}(?:>|[-+][ \t]|\d{1,9}[.)][ \t])|\]\(/mu;
/** Quotes in quotes, lists in lists: one level more costs each line as much as all text before it. */
const deep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){7}/mu;

/** Whether a text is worth taking apart, and can be without being felt. */
export function mayHaveMarkup(text: string): boolean {
  if (text.length > mostCharacters || !candidate.test(text)) return false;
  if (deep.test(text) || text.split('\n', mostLines + 1).length > mostLines) return false;
  return (text.match(mark)?.length ?? 0) <= mostMarks;
}
