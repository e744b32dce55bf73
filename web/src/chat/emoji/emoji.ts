import { foldText, fullEmoji } from '@nolo/rules';

/** Unicode groups, in the order of the picker. */
export const emojiGroups = [
  'smileys',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const;
export type EmojiGroup = (typeof emojiGroups)[number];

export interface Emoji {
  readonly group: EmojiGroup;
  readonly text: string;
  readonly name: string;
  /** Further search words, as one text. */
  readonly words: string;
  /** Variants in the five skin tones, from light to dark. Empty if the emoji has no tones. */
  readonly tones: readonly string[];
  /** Unicode Emoji version that introduced it. */
  readonly version: number;
}

/** Emoji in the format of `emojibase-data`. */
export interface DatasetEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly group?: number;
  readonly order?: number;
  readonly version: number;
  readonly skins?: readonly { readonly emoji: string; readonly tone: number | readonly number[] }[];
}

/* Omits the data set's third group, which holds emoji components such as bare skin tones. */
const groupNumbers: Readonly<Record<number, EmojiGroup>> = {
  0: 'smileys',
  1: 'people',
  3: 'animals',
  4: 'food',
  5: 'travel',
  6: 'activities',
  7: 'objects',
  8: 'symbols',
  9: 'flags',
};

/** Extracts what the picker needs from the data set, which is three times as large. Runs at build time. */
export function toPickerEmoji(dataset: readonly DatasetEmoji[]): Emoji[] {
  return dataset
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap(({ emoji, label, tags = [], group = -1, version, skins = [] }) => {
      const known = groupNumbers[group];
      if (known === undefined) return [];
      // Pairs come in one shared tone only: the picker does not offer two.
      const tones = [1, 2, 3, 4, 5].flatMap((tone) => skins.find((skin) => skin.tone === tone)?.emoji ?? []);
      const words = tags.filter((tag) => !label.includes(tag)).join(' ');
      return {
        group: known,
        text: fullEmoji(emoji),
        name: label,
        words,
        tones: tones.length === 5 ? tones.map(fullEmoji) : [],
        version,
      };
    });
}

/** Returns the emoji in the chosen tone. Tone 0 means no tone. */
export const withSkinTone = (emoji: Emoji, tone: number): string => emoji.tones[tone - 1] ?? emoji.text;

/** Finds emoji whose name or words begin with each typed word. Matches at the start of the name come first. */
export function findEmoji(all: readonly Emoji[], query: string, limit: number): readonly Emoji[] {
  const typed = fullEmoji(query.trim());
  const wanted = foldText(query).split(/\s+/u).filter(Boolean);
  if (wanted.length === 0) return [];
  const begins = (text: string, word: string) => text.startsWith(word) || text.includes(` ${word}`);
  const ranked = all.flatMap((emoji) => {
    const name = foldText(emoji.name);
    if (emoji.text === typed) return { emoji, rank: 0 };
    if (!wanted.every((word) => begins(name, word) || begins(foldText(emoji.words), word))) return [];
    const first = wanted[0] ?? '';
    return { emoji, rank: name === first ? 0 : name.startsWith(first) ? 1 : begins(name, first) ? 2 : 3 };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ emoji }) => emoji);
}
