import { deleteDB } from 'idb';
import { accountOf, databaseName } from './accountNames.ts';
import { withTimeout } from './withTimeout.ts';
import { erasePictures } from './pictureCache.ts';

/** A tab that does not let go of its database must not hold the person up; it goes when that tab does. */
const timeoutMs = 3_000;

/** The accounts that have a database on this device; none where the browser keeps none (private windows of some). */
export async function knownAccounts(): Promise<string[]> {
  try {
    const databases = await indexedDB.databases();
    return databases.flatMap(({ name }) => accountOf(name) ?? []);
  } catch {
    return [];
  }
}

/** Erases what accounts keep in databases and caches: all of them, or all but the one that is signed in. */
export async function eraseAccounts(keep?: string): Promise<void> {
  const accounts = (await knownAccounts()).filter((account) => account !== keep);
  const erased = Promise.all(accounts.map((account) => deleteDB(databaseName(account)))).catch(() => undefined);
  await withTimeout(timeoutMs, erased);
  // Last, when no tab has the person's database any more, and so none asks for their pictures.
  await erasePictures(keep);
}
