import { deleteDB } from 'idb';
import { accountOfDatabase, accountOfKeysDatabase, accountOfSearchDatabase } from './accountNames.ts';
import { withTimeout } from './withTimeout.ts';
import { erasePictures } from './pictureCache.ts';

/** Maximum milliseconds to wait for a tab that does not close its database. It is deleted when that tab closes. */
const timeoutMs = 3_000;

/** Returns the names of all databases; none if the browser stores none or does not answer. */
export async function listDatabases(): Promise<string[]> {
  try {
    // The call never settles while the browser itself is erasing them (Clear-Site-Data).
    const databases = await withTimeout(timeoutMs, indexedDB.databases());
    return (databases ?? []).flatMap(({ name }) => name ?? []);
  } catch {
    return [];
  }
}

/**
 * Returns the accounts with a database on this device. Returns none if the browser stores none (some private windows).
 */
export async function listStoredAccounts(): Promise<string[]> {
  return (await listDatabases()).flatMap((name) => accountOfDatabase(name) ?? []);
}

/**
 * Erases account data in databases and caches: all of it, or all except the signed-in account's.
 *
 * @param keepsKeys true to keep all keys, with which a device continues when its user signs in again
 */
export async function eraseStoredAccounts(keep?: string, keepsKeys = false): Promise<void> {
  const names = (await listDatabases()).filter((name) => {
    if (keepsKeys && accountOfKeysDatabase(name) !== undefined) return false;
    const account = accountOfDatabase(name) ?? accountOfSearchDatabase(name) ?? accountOfKeysDatabase(name);
    return account !== undefined && account !== keep;
  });
  const erased = Promise.all(names.map((name) => deleteDB(name))).catch(() => undefined);
  await withTimeout(timeoutMs, erased);
  // Erased last: no tab has the account's database open then, so none requests its pictures.
  await erasePictures(keep);
}
