import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const bring = `${source}i18n/requestedCatalogues.ts`;

/**
 * Room files: `enCalls.ts` contains the texts whose keys begin with `calls.`. Those of `en.ts` are loaded from the
 * start.
 */
const roomWords = /\/en((?!Errors)[A-Z]\w*)\.ts$/;
/** Lazily loaded rooms, except types and other languages' texts. */
const lateRoom = /(?<!typeof )\bimport\((\s*'\.[^']*\/(?!de[A-Z])[^'/]+'\s*)\)/g;
/** Modules that run before the language is chosen, that choose it, or that run outside the page. */
const apart =
  /\/src\/(?:boot|registerServiceWorker|serviceWorker)\.ts$|\/src\/i18n\/(?!en[A-Z])|[wW]orker\.ts$|\.test\./;

/** Files with texts of a language other than English, which only its users load and cache. */
export const germanFile =
  /\/web\/src\/(?:.*\/)?(?:de(?:[A-Z]\w*)?|german|lateWords|emojiGerman)\.ts$|virtual:emoji-german$/;

/**
 * Transforms a module that declares texts, or that must wait for those of the rooms it imports. Returns undefined for
 * others.
 */
export function transformForLazyCatalogues(code: string, id: string): string | undefined {
  const [, area] = roomWords.exec(id) ?? [];
  if (area !== undefined) {
    const name = area.charAt(0).toLowerCase() + area.slice(1);
    return `import { requestCatalogue } from '${bring}'; ${code}\nrequestCatalogue('${name}');`;
  }
  const changed = code.replace(lateRoom, 'waitForCatalogues(import($1))');
  return changed === code ? undefined : `import { waitForCatalogues } from '${bring}'; ${changed}`;
}

/**
 * Loads a room's texts in the app's language, and makes everything waiting for the room wait for them
 * (src/i18n/requestedCatalogues.ts). Line numbers do not change, so source maps stay correct.
 */
export function createLazyCataloguePlugin(): Plugin {
  return {
    name: 'nolo-languages',
    enforce: 'pre',
    transform(code, id) {
      const changed = id.startsWith(source) && !apart.test(id) ? transformForLazyCatalogues(code, id) : undefined;
      return changed === undefined ? undefined : { code: changed, map: null };
    },
  };
}
