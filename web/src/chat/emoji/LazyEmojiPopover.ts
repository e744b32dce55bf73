import { lazyDialog } from '../../ui/lazyDialog.tsx';

/** Emoji picker, loaded on demand because the emoji list is as large as a screen of the app. */
export const LazyEmojiPopover = lazyDialog(async () => (await import('./EmojiPopover.tsx')).loadEmojiPopover());
