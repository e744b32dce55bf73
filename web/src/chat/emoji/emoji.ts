import { foldText, fullEmoji } from '@nolo/rules';

/** The groups of Unicode, in the order of the picker. */
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
  /** Further words by which it is found, as one text. */
  readonly words: string;
  /** The same in five skin tones, from light to dark; empty where it has none. */
  readonly tones: readonly string[];
  /** The version of Unicode Emoji that brought it. */
  readonly version: number;
}

/** An emoji as `emojibase-data` has it. */
export interface DatasetEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly group?: number;
  readonly order?: number;
  readonly version: number;
  readonly skins?: readonly { readonly emoji: string; readonly tone: number | readonly number[] }[];
}

/* The data set's third group are parts of emoji, such as skin tones alone. */
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

/** What the picker needs of the data set, which is three times as large. Runs while the app is built. */
export function emojiOf(dataset: readonly DatasetEmoji[]): Emoji[] {
  return dataset
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap(({ emoji, label, tags = [], group = -1, version, skins = [] }) => {
      const known = groupNumbers[group];
      if (known === undefined) return [];
      // Of pairs, only those of one tone: choosing two is more than a picker in passing can offer.
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

/** The emoji in the chosen tone: 0 is none. */
export function inTone(emoji: Emoji, tone: number): string {
  return emoji.tones[tone - 1] ?? emoji.text;
}

/** Emoji whose name or words begin with everything that was typed; the ones whose name begins so come first. */
export function findEmoji(all: readonly Emoji[], query: string, most: number): readonly Emoji[] {
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
    .slice(0, most)
    .map(({ emoji }) => emoji);
}
