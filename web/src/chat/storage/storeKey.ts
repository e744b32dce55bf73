import { createStoreKey, type StoreKey } from '@nolo/e2ee/storeKey';
import type { IDBPDatabase } from 'idb';

/**
 * Returns the key that is stored, or stores one. Of several tabs that do so at once, all get the first one's. Returns
 * undefined if the engine has no such keys, or gives none back (some versions of WebKit).
 */
export async function readOrCreateStoreKey(database: IDBPDatabase): Promise<StoreKey | undefined> {
  const known = await database.get('values', 'storeKey');
  if (known) return known as StoreKey;
  // Insecure pages have none.
  if ((crypto as Partial<Crypto>).subtle === undefined) return undefined;
  const created = await createStoreKey();
  const transaction = database.transaction('values', 'readwrite', { durability: 'strict' });
  if (!(await transaction.store.get('storeKey'))) await transaction.store.put(created, 'storeKey');
  await transaction.done;
  return ((await database.get('values', 'storeKey')) as StoreKey | null) ?? undefined;
}
