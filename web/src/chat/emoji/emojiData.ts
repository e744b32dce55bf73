import emoji from 'virtual:emoji';
import type { Emoji } from './emoji.ts';

/** Every emoji, as vitePlugins/emoji.ts made it of the data set. */
export const allEmoji = emoji as readonly Emoji[];
