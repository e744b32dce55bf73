import { foldText } from '@nolo/rules';

/** Entry that the palette finds by its name. */
export interface PaletteEntry {
  id: string;
  label: string;
  /** Place or content, shown next to the name. */
  detail?: string;
  words?: readonly string[];
}

/** Ranks a match of a word in a text: at its beginning, at the beginning of a word, elsewhere, or not at all. */
function placeOf(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return 3;
  return text.split(/[^\p{Letter}\p{Number}]+/u).some((textWord) => textWord.startsWith(word)) ? 2 : 1;
}

/** Ranks how well an entry matches the input; 0 if a word is missing. The name has more weight than other terms. */
function scoreMatch({ label, detail = '', words = [] }: PaletteEntry, typed: string): number {
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

/** Returns the entries that match all of the input, best first and otherwise in their order; without input, all. */
export function findPaletteEntries<Entry extends PaletteEntry>(
  entries: readonly Entry[],
  typed: string,
): readonly Entry[] {
  if (typed.trim() === '') return entries;
  return entries
    .map((entry) => ({ entry, points: scoreMatch(entry, typed) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
    .map(({ entry }) => entry);
}
