import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const bring = `${source}i18n/bringWords.ts`;

/** `enCalls.ts` holds the words whose keys begin with `calls.`; those of `en.ts` are there from the start. */
const roomWords = /\/en((?!Errors)[A-Z]\w*)\.ts$/;
/** A room that comes later. Types and other languages' words are not meant. */
const lateRoom = /(?<!typeof )\bimport\((\s*'\.[^']*\/(?!de[A-Z])[^'/]+'\s*)\)/g;
/** What runs before a language is chosen, what chooses it, and what runs outside of the page. */
const apart =
  /\/src\/(?:boot|registerServiceWorker|serviceWorker)\.ts$|\/src\/i18n\/(?!en[A-Z])|[wW]orker\.ts$|\.test\./;

/** Files of the words of a language other than English, which only those who chose it load and keep. */
export const germanFile =
  /\/web\/src\/(?:.*\/)?(?:de(?:[A-Z]\w*)?|german|lateWords|emojiGerman)\.ts$|virtual:emoji-german$/;

/** A module that says which words it holds, or waits for those of the rooms that it imports; undefined where it does neither. */
export function withLateWords(code: string, id: string): string | undefined {
  const [, area] = roomWords.exec(id) ?? [];
  if (area !== undefined) {
    const name = area.charAt(0).toLowerCase() + area.slice(1);
    return `import { wantWords } from '${bring}'; ${code}\nwantWords('${name}');`;
  }
  const changed = code.replace(lateRoom, 'withWords(import($1))');
  return changed === code ? undefined : `import { withWords } from '${bring}'; ${changed}`;
}

/**
 * Lets a room's words come in the language of the app, and what waits for the room wait for them (src/i18n/bringWords.ts).
 * Lines stay where they are, so what source maps say of them stays true.
 */
export function languageWords(): Plugin {
  return {
    name: 'nolo-languages',
    enforce: 'pre',
    transform(code, id) {
      const changed = id.startsWith(source) && !apart.test(id) ? withLateWords(code, id) : undefined;
      return changed === undefined ? undefined : { code: changed, map: null };
    },
  };
}
