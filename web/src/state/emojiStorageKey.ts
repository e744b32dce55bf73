/** Where the emoji that somebody used last are kept; by itself, for it is erased where nothing else of them is needed. */
export const emojiStorageKey = 'nolo.emoji';
