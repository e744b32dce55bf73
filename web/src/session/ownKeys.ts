/*
 * Where this device keeps small things of somebody's, which signing out erases. By themselves, for what erases them needs
 * nothing else of what writes them.
 */

/** The emoji that were used last. */
export const emojiStorageKey = 'nolo.emoji';
/** How they like the app, and what of it their account is still to be told. */
export const preferencesKey = 'nolo.preferences';
/** Whether links that they write are looked at. */
export const linkPreviewStorageKey = 'nolo.linkPreviews';
/** Which voice notes were played. */
export const playedNotesKey = 'nolo.playedNotes';

/** Up to when somebody has looked at their calls. */
export const callsSeenKey = 'nolo.callsSeen';
/** All of these, which go together. */
export const smallKeys = [
  emojiStorageKey,
  preferencesKey,
  linkPreviewStorageKey,
  playedNotesKey,
  callsSeenKey,
] as const;
/** What was written and not sent. */
export const draftStorageKey = 'nolo.drafts';

/** Erases what was written and not sent. */
export function eraseDrafts(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(draftStorageKey);
}
