import type { KeyStorage } from '@nolo/client/keys/ports';
import { openDB, unwrap, type DBSchema, type IDBPDatabase } from 'idb';
import { keysDatabaseName } from '../../device/accountNames.ts';
import { followTransactions } from '../../device/followTransactions.ts';

/** Increase it only for another structure of the database. The engine migrates its own values. */
const schemaVersion = 1;

export interface KeysSchema extends DBSchema {
  values: { key: string; value: unknown };
}

/** Above every character that a key contains. */
const lastCharacter = '\uffff';

/** Returns what reads values. */
export const createKeyReader = (database: IDBPDatabase<KeysSchema>): Pick<KeyStorage, 'read' | 'list'> => ({
  read: (key) => database.get('values', key),
  async list(prefix) {
    const { store } = database.transaction('values');
    const range = IDBKeyRange.bound(prefix, prefix + lastCharacter);
    const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return keys.map((key, index) => [key, values[index]] as const);
  },
});

/**
 * Opens the database with an account's keys. `onClosed` is called once it is erased or taken over by a newer version of
 * the app. Closing aborts what is not written yet. Rejects if the browser stores nothing here.
 */
export async function openKeyStorage(userId: string, onClosed: () => void): Promise<KeyStorage> {
  const database: IDBPDatabase<KeysSchema> = await openDB<KeysSchema>(keysDatabaseName(userId), schemaVersion, {
    upgrade: (created) => void created.createObjectStore('values'),
    blocking() {
      onClosed();
      database.close();
    },
    terminated: onClosed,
  });
  const endTransactions = followTransactions(unwrap(database));
  return {
    ...createKeyReader(database),
    async write(values) {
      // A list is signed over keys that were written, so they must be on the disk and not in a buffer.
      const transaction = database.transaction('values', 'readwrite', { durability: 'strict' });
      const written: Promise<unknown>[] = [transaction.done];
      try {
        for (const [key, value] of Object.entries(values)) {
          written.push(value === undefined ? transaction.store.delete(key) : transaction.store.put(value, key));
        }
      } catch (error) {
        // A value that cannot be copied fails before the transaction knows, which would write the others.
        transaction.abort();
        await Promise.allSettled(written);
        throw error;
      }
      await Promise.all(written);
    },
    // Transactions of a page in the back-forward cache never end in WebKit, and other pages would wait for them.
    close() {
      endTransactions();
      database.close();
    },
  };
}
