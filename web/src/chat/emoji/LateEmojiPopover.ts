import { late } from '../../ui/late.tsx';

/** The emoji picker, which comes with all emoji: their list is as large as a screen of the app. */
export const LateEmojiPopover = late(async () => (await import('./EmojiPopover.tsx')).loadEmojiPopover());
