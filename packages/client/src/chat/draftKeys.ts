/* Separate from drafts.ts, because erasing drafts needs nothing of the code that writes them. */

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
