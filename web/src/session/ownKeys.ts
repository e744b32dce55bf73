/*
 * Storage keys of small personal data that signing out erases. They are separate, because erasing needs nothing else of
 * the code that writes them.
 */

/** Recently used emoji. */
export const emojiStorageKey = 'nolo.emoji';
/** Display preferences, and those not yet sent to the account. */
export const preferencesKey = 'nolo.preferences';
/** Choice about previews of written links. */
export const linkPreviewStorageKey = 'nolo.linkPreviews';
/** Voice notes already played. */
export const playedVoiceNotesKey = 'nolo.playedNotes';

/** Time up to which the user has seen their calls. */
export const callsSeenKey = 'nolo.callsSeen';
/** All of these keys, which are erased together. */
export const signOutErasedStorageKeys = [
  emojiStorageKey,
  preferencesKey,
  linkPreviewStorageKey,
  playedVoiceNotesKey,
  callsSeenKey,
] as const;
/** Prefix of the key of each conversation's draft, followed by the account's id. */
export const draftKeyPrefix = 'nolo.draft.';
/** Key of all drafts in previous releases. */
export const oldDraftsKey = 'nolo.drafts';

export type ListedStorage = Pick<Storage, 'key' | 'length' | 'removeItem'>;

/** Returns the keys of all drafts on this device. */
export function listDraftKeys(storage: Pick<Storage, 'key' | 'length'>): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(draftKeyPrefix));
}

/** Erases all drafts. */
export function eraseDrafts(storage: ListedStorage): void {
  for (const key of [...listDraftKeys(storage), oldDraftsKey]) storage.removeItem(key);
}
