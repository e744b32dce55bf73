import { foldText } from '@nolo/rules';

/** Something that the palette finds by its name. */
export interface PaletteEntry {
  /** Alone of its kind in the palette. */
  id: string;
  label: string;
  /** Where it belongs, or what it says, beside its name. */
  detail?: string;
  /** What it is found by besides its name. */
  words?: readonly string[];
}

/** How well a text has a word: at its beginning, at that of one of its words, somewhere, or not at all. */
function placeOf(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return 3;
  return text.split(/[^\p{Letter}\p{Number}]+/u).some((part) => part.startsWith(word)) ? 2 : 1;
}

/** How well something is what was typed; 0 where a word of it is missing. Its name counts more than its other words. */
export function fit({ label, detail = '', words = [] }: PaletteEntry, typed: string): number {
  const name = foldText(label);
  const others = foldText([detail, ...words].join(' '));
  let sum = 0;
  for (const word of foldText(typed).split(/\s+/).filter(Boolean)) {
    const place = placeOf(word, name) * 2 || placeOf(word, others) / 4;
    if (place === 0) return 0;
    sum += place;
  }
  return sum;
}

/** Those that have all that was typed, the best first and otherwise in their order; without anything typed, all. */
export function findEntries<Entry extends PaletteEntry>(entries: readonly Entry[], typed: string): readonly Entry[] {
  if (typed.trim() === '') return entries;
  return entries
    .map((entry) => ({ entry, points: fit(entry, typed) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
    .map(({ entry }) => entry);
}
