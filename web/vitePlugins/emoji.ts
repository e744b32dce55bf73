import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { emojiOf } from '../src/chat/emoji/emoji.ts';
import type { DatasetEmoji } from '../src/chat/emoji/emoji.ts';

const name = 'virtual:emoji';
const resolved = `\0${name}`;

/** The emoji picker's data: what it needs of the data set, as part of the app rather than from somebody's server. */
export function emojiData(): Plugin {
  return {
    name: 'nolo-emoji',
    resolveId: (id) => (id === name ? resolved : undefined),
    load(id) {
      if (id !== resolved) return undefined;
      const dataset = createRequire(import.meta.url)('emojibase-data/en/data.json') as DatasetEmoji[];
      // Parsed by the browser's JSON, which is faster than its JavaScript.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(emojiOf(dataset)))});`;
    },
  };
}
