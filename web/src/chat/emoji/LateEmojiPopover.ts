import { late } from '../../ui/late.tsx';

/** Emoji picker, loaded on demand because the emoji list is as large as a screen of the app. */
export const LateEmojiPopover = late(async () => (await import('./EmojiPopover.tsx')).loadEmojiPopover());
