import emoji from 'virtual:emoji-german';
import type { Emoji } from './emoji.ts';

/** Every emoji by its German name and words. */
export const emojiGerman = emoji as readonly Emoji[];
