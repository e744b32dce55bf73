/*
 * Where this device keeps small things of somebody's, which signing out erases. By themselves, for what erases them needs
 * nothing else of what writes them.
 */

/** The emoji that were used last. */
export const emojiStorageKey = 'nolo.emoji';
/** Which voice notes were played. */
export const playedNotesKey = 'nolo.playedNotes';

/** Up to when somebody has looked at their calls. */
export const callsSeenKey = 'nolo.callsSeen';
/** What was written and not sent. */
export const draftStorageKey = 'nolo.drafts';

/** Erases what was written and not sent. */
export function eraseDrafts(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(draftStorageKey);
}
