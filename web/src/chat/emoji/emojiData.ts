import emoji from 'virtual:emoji';
import type { Emoji } from './emoji.ts';

/** All emoji, as vitePlugins/emoji.ts builds them from the data set. */
export const allEmoji = emoji as readonly Emoji[];
