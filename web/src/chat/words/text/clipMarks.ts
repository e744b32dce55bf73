/** More marks on one letter than any script has; they would climb over the lines above and below. */
const stacked = /(\p{M}{8})\p{M}+/gu;

/** A text without the towers of marks that would cover its neighbours. */
export function clipMarks(text: string): string {
  return text.replace(stacked, '$1');
}
