import { cutText, hrefOf, wordCharacter } from '@nolo/rules';
import { mayHaveMarkup } from './markup.ts';
import { maskAll, maskMarks, unmask } from './maskMarks.ts';

/** A block of code, which goes on to the end of the text if nothing closes it. Its first line may name a language. */
const block = /^ {0,3}(`{3,}|~{3,})[^`\n]*(?:\n([^]*?))?(?:\n {0,3}\1[`~]*[ \t]*$|(?![^]))/gmu;
/** Code in a line, between runs of as many backticks. */
const inline = /(?<![`\\])(`+)(?!`)((?:(?!\n\s*\n)[^])+?)(?<!`)\1(?!`)/gu;
const named = /\[([^[\]\n]+)\]\(([^\s()]+)\)/gu;
/** Words between two of the same marks, which stand at no letter: snake_case and ~5 km keep theirs. */
const marked = new RegExp(
  String.raw`(?<!\\)(?:(?<!${wordCharacter})([*~]{1,3})(?=\S)((?:(?!\n\s*\n)[^])+?)(?<=\S)\1(?!${wordCharacter})|(?<![\p{L}\p{N}])(_{1,3})(?=\S)((?:(?!\n\s*\n)[^])+?)(?<=\S)\3(?![\p{L}\p{N}]))`,
  'gu',
);
/** Bold in italic in struck out; nobody means more. */
const mostNested = 3;

const nameOfLink = (whole: string, name: string, url: string): string => (hrefOf(unmask(url)) === null ? whole : name);

/**
 * A text without its markup, as `parseMarkup` reads it. Apart from that, for the first screen shows lines of texts, and the
 * parser is large.
 */
export function withoutMarks(text: string): string {
  if (!mayHaveMarkup(text)) return text;
  let plain = maskMarks(text)
    .replace(block, (_, __, code: string | undefined) => maskAll(code ?? ''))
    .replace(inline, (_, __, code: string) => maskAll(/^ .*[^ ].* $/su.test(code) ? code.slice(1, -1) : code))
    .replace(named, nameOfLink);
  for (let level = 0; level < mostNested; level += 1) {
    plain = plain.replace(marked, (_, __, starred?: string, ___?: string, lined?: string) => starred ?? lined ?? '');
  }
  return unmask(plain);
}

/** The beginning of a message's text, so many characters of it, in one line and without its markup. */
export function plainExcerpt(text: string, most: number): string {
  // No more than what is shown is taken apart, with room for what goes.
  const plain = cutText(withoutMarks(text), most * 4)
    // The marks of quotes, at the beginning of their lines.
    .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return cutText(plain, most);
}
