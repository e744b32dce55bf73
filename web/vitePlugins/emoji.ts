import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { emojiOf } from '../src/chat/emoji/emoji.ts';
import type { DatasetEmoji } from '../src/chat/emoji/emoji.ts';

const languages = { 'virtual:emoji': 'en', 'virtual:emoji-german': 'de' } as const;

/** The emoji picker's data: what it needs of the data set, as part of the app rather than from somebody's server. */
export function emojiData(): Plugin {
  return {
    name: 'nolo-emoji',
    resolveId: (id) => (id in languages ? `\0${id}` : undefined),
    load(id) {
      const [, language] = Object.entries(languages).find(([name]) => id === `\0${name}`) ?? [];
      if (language === undefined) return undefined;
      const dataset = createRequire(import.meta.url)(`emojibase-data/${language}/data.json`) as DatasetEmoji[];
      // Parsed by the browser's JSON, which is faster than its JavaScript.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(emojiOf(dataset)))});`;
    },
  };
}
