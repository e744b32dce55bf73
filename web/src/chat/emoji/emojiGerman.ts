import emoji from 'virtual:emoji-german';
import type { Emoji } from './emoji.ts';

/** All emoji by German name and words. */
export const emojiGerman = emoji as readonly Emoji[];
