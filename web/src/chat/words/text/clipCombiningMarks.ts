/** More combining marks on one letter than any script uses. They would overlap the lines above and below. */
const stacked = /(\p{M}{8})\p{M}+/gu;

/** Removes stacked combining marks that would cover neighboring text. */
export function clipCombiningMarks(text: string): string {
  return text.replace(stacked, '$1');
}
