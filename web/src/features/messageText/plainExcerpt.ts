/** Enough for two lines. */
const most = 240;

/** The beginning of a message's text in one line, without the marks around its words. */
export function plainExcerpt(text: string): string {
  return (
    text
      .slice(0, most)
      // The marks of quotes, at the beginning of their lines.
      .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
      .replace(/[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}/gu, (marks, at: number, whole: string) =>
        // Within a word they are part of it: snake_case.
        /[\p{L}\p{N}]/u.test(whole[at - 1] ?? '') && /[\p{L}\p{N}]/u.test(whole[at + marks.length] ?? '') ? marks : '',
      )
      .replace(/\s+/gu, ' ')
      .trim()
  );
}
