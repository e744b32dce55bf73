import type { OtherLanguage } from './i18n.ts';
import type { Catalogue } from './pseudo.ts';

/** Creates a language whose rooms have their texts in separate files, each loaded once. */
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
            // Offline and not cached yet: the room appears in English, and the next room retries.
          }
        }),
      );
    },
  };
}
