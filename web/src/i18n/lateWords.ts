import type { OtherLanguage } from './i18n.ts';
import type { Catalogue } from './pseudo.ts';

/** A language whose rooms have their words in files of their own, each brought once. */
export function lateWords(core: Catalogue, rooms: Readonly<Record<string, () => Promise<Catalogue>>>): OtherLanguage {
  const held = new Map<string, Catalogue>();
  return {
    core,
    translate: (area) => held.get(area),
    bring: async (areas) => {
      await Promise.all(
        [...areas].map(async (area) => {
          try {
            const words = held.get(area) ?? (await rooms[area]?.());
            if (words) held.set(area, words);
            areas.delete(area);
          } catch {
            // Without a network and not kept yet: the room speaks English, and what comes next asks again.
          }
        }),
      );
    },
  };
}
