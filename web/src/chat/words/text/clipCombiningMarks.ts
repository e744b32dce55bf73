/** More combining marks on one letter than any script uses. They would overlap the lines above and below. */
const stacked = /(\p{M}{8})\p{M}+/gu;

/** Removes stacked combining marks that would cover neighboring text. */
export const clipCombiningMarks = (text: string): string => text.replace(stacked, '$1');
