import { deleteDB } from 'idb';
import { accountOf, searchedAccountOf } from './accountNames.ts';
import { withTimeout } from './withTimeout.ts';
import { erasePictures } from './pictureCache.ts';

/** A tab that does not let go of its database must not hold the person up; it goes when that tab does. */
const timeoutMs = 3_000;

async function databaseNames(): Promise<string[]> {
  try {
    // Where the browser itself is erasing them (Clear-Site-Data), it never answers.
    const databases = await withTimeout(timeoutMs, indexedDB.databases());
    return (databases ?? []).flatMap(({ name }) => name ?? []);
  } catch {
    return [];
  }
}

/** The accounts that have a database on this device; none where the browser keeps none (private windows of some). */
export async function knownAccounts(): Promise<string[]> {
  return (await databaseNames()).flatMap((name) => accountOf(name) ?? []);
}

/** Erases what accounts keep in databases and caches: all of them, or all but the one that is signed in. */
export async function eraseAccounts(keep?: string): Promise<void> {
  const names = (await databaseNames()).filter((name) => {
    const account = accountOf(name) ?? searchedAccountOf(name);
    return account !== undefined && account !== keep;
  });
  const erased = Promise.all(names.map((name) => deleteDB(name))).catch(() => undefined);
  await withTimeout(timeoutMs, erased);
  // Last, when no tab has the person's database any more, and so none asks for their pictures.
  await erasePictures(keep);
}
