import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { toPickerEmoji } from '../src/chat/emoji/emoji.ts';
import type { DatasetEmoji } from '../src/chat/emoji/emoji.ts';

const languages = { 'virtual:emoji': 'en', 'virtual:emoji-german': 'de' } as const;

/**
 * Provides the emoji picker's data: the part of the data set that it needs, included in the app rather than loaded from
 * another server.
 */
export function emojiData(): Plugin {
  return {
    name: 'nolo-emoji',
    resolveId: (id) => (id in languages ? `\0${id}` : undefined),
    load(id) {
      const [, language] = Object.entries(languages).find(([name]) => id === `\0${name}`) ?? [];
      if (language === undefined) return undefined;
      const dataset = createRequire(import.meta.url)(`emojibase-data/${language}/data.json`) as DatasetEmoji[];
      // The browser's JSON parser is faster than its JavaScript parser.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(toPickerEmoji(dataset)))});`;
    },
  };
}
