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
/** What was written and not sent: a key for each conversation, which begins with this and the account's id. */
export const draftKeyPrefix = 'nolo.draft.';
/** Where earlier versions kept all drafts. */
export const oldDraftsKey = 'nolo.drafts';

export type ListedStorage = Pick<Storage, 'key' | 'length' | 'removeItem'>;

/** The keys of all drafts on this device. */
export function draftKeys(storage: Pick<Storage, 'key' | 'length'>): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(draftKeyPrefix));
}

/** Erases what was written and not sent. */
export function eraseDrafts(storage: ListedStorage): void {
  for (const key of [...draftKeys(storage), oldDraftsKey]) storage.removeItem(key);
}
