import type { OtherLanguage } from './i18n.ts';
import type { Catalogue } from './pseudo.ts';

/** Creates a language whose rooms have their texts in separate files, each loaded once. */
export function createLazyLanguage(
  core: Catalogue,
  rooms: Readonly<Record<string, () => Promise<Catalogue>>>,
): OtherLanguage {
  const loadedCatalogues = new Map<string, Catalogue>();
  return {
    core,
    translate: (area) => loadedCatalogues.get(area),
    bring: async (areas) => {
      await Promise.all(
        [...areas].map(async (area) => {
          try {
            const words = loadedCatalogues.get(area) ?? (await rooms[area]?.());
            if (words) loadedCatalogues.set(area, words);
            areas.delete(area);
          } catch {
            // Offline and not cached yet: the room appears in English, and the next room retries.
          }
        }),
      );
    },
  };
}
