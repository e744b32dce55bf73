import { cutText, toSafeHref, wordCharacterPattern } from '@nolo/rules';
import { isMarkupCandidate } from './markup.ts';
import { maskMarkup, maskMarkupInUrlsAndWords, unmaskMarkup } from './maskMarkup.ts';

/** Code block, which continues to the end of the text if not closed. Its first line may name a language. */
const block = /^ {0,3}(`{3,}|~{3,})[^`\n]*(?:\n([^]*?))?(?:\n {0,3}\1[`~]*[ \t]*$|(?![^]))/gmu;
/** Inline code, between equal runs of backticks. */
const inline = /(?<![`\\])(`+)(?!`)((?:(?!\n\s*\n)[^])+?)(?<!`)\1(?!`)/gu;
const named = /\[([^[\]\n]+)\]\(([^\s()]+)\)/gu;
/** Text between two equal marks that do not touch a letter outside: snake_case and ~5 km keep theirs. */
const markedUpText = new RegExp(
  String.raw`(?<!\\)(?:(?<!${wordCharacterPattern})([*~]{1,3})(?=\S)((?:(?!\n\s*\n)[^])+?)(?<=\S)\1(?!${wordCharacterPattern})|(?<![\p{L}\p{N}])(_{1,3})(?=\S)((?:(?!\n\s*\n)[^])+?)(?<=\S)\3(?![\p{L}\p{N}]))`,
  'gu',
);
/** Maximum nesting, enough for bold in italic in strikethrough. */
const maxNesting = 3;

const nameOfLink = (whole: string, name: string, url: string): string =>
  toSafeHref(unmaskMarkup(url)) === null ? whole : name;

/**
 * Returns a text without its markup, as `parseMarkup` reads it. It is separate, because the first screen shows excerpts
 * and the parser is large.
 */
export function stripMarkup(text: string): string {
  if (!isMarkupCandidate(text)) return text;
  let plain = maskMarkupInUrlsAndWords(text)
    .replace(block, (_, __, code: string | undefined) => maskMarkup(code ?? ''))
    .replace(inline, (_, __, code: string) => maskMarkup(/^ .*[^ ].* $/su.test(code) ? code.slice(1, -1) : code))
    .replace(named, nameOfLink);
  for (let level = 0; level < maxNesting; level += 1) {
    plain = plain.replace(
      markedUpText,
      (_, __, starred?: string, ___?: string, lined?: string) => starred ?? lined ?? '',
    );
  }
  return unmaskMarkup(plain);
}

/** Returns the beginning of a message's text in one line, without markup, at most `maxLength` characters. */
export function toPlainExcerpt(text: string, maxLength: number): string {
  // Processes only what may be shown, with room for what is removed.
  const plain = cutText(stripMarkup(text), maxLength * 4)
    // Removes quote marks at the beginning of lines.
    .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return cutText(plain, maxLength);
}
