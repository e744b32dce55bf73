import { cutText } from '@nolo/rules';

/** Words between two of the same marks, which stand at no letter: snake_case and ~5 km keep theirs. */
const marked = /(?<![\p{L}\p{N}\\])([*_~`]{1,3})(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu;
/** Bold in italic in struck out; nobody means more. */
const mostNested = 3;

/** A text without the marks around its words. */
export function withoutMarks(text: string): string {
  let plain = text;
  for (let level = 0; level < mostNested; level += 1) plain = plain.replace(marked, '$2');
  return plain;
}

/** The beginning of a message's text, so many characters of it, in one line and without the marks around its words. */
export function plainExcerpt(text: string, most: number): string {
  const plain = cutText(text, most)
    // The marks of quotes, at the beginning of their lines.
    .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return withoutMarks(plain);
}
