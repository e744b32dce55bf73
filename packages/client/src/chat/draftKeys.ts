/* Separate from drafts.ts, because erasing drafts needs nothing of the code that writes them. */

/** Prefix of the key of each conversation's draft, followed by the account's id. */
export const draftKeyPrefix = 'nolo.draft-sealed.';
/** Prefix of releases before 0.5.0. Their tabs would show sealed drafts as text. */
export const oldDraftKeyPrefix = 'nolo.draft.';
const anyPrefix = 'nolo.draft';

export type ListedStorage = Pick<Storage, 'key' | 'length' | 'removeItem'>;

/** Returns the keys of all drafts on this device. */
export function listDraftKeys(storage: Pick<Storage, 'key' | 'length'>): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(anyPrefix));
}

/** Erases all drafts. */
export function eraseDrafts(storage: ListedStorage): void {
  for (const key of listDraftKeys(storage)) storage.removeItem(key);
}
