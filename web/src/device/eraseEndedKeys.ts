import { deleteDB } from 'idb';
import { accountOfKeysDatabase } from './accountNames.ts';
import { listDatabases } from './eraseStoredAccounts.ts';
import { withTimeout } from './withTimeout.ts';

/** Time in milliseconds since the epoch at which the session ended whose keys are on this device. */
const sessionEndKey = 'nolo.keysEnded';

/** Milliseconds for which a device can continue after its session ended (docs/encryption.md, section 3). */
const keptMs = 30 * 86_400_000;

/** Maximum milliseconds to wait for a tab that does not close its database. It is deleted when that tab closes. */
const timeoutMs = 3_000;

type EndStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Erases the keys of an ended session once they are of no more use, and notes its end if that is not noted yet. Only
 * for pages without a session.
 *
 * @param now time of the device in milliseconds since the epoch
 */
export async function eraseEndedKeys(now: number, storage: EndStorage): Promise<void> {
  const names = (await listDatabases()).filter((name) => accountOfKeysDatabase(name) !== undefined);
  if (names.length === 0) return forgetSessionEnd(storage);
  const end = Number(storage.getItem(sessionEndKey));
  // A clock that was set back must not keep the keys for longer.
  if (!(end > 0 && end <= now)) return storage.setItem(sessionEndKey, String(now));
  if (now - end < keptMs) return;
  await withTimeout(timeoutMs, Promise.all(names.map((name) => deleteDB(name))));
  forgetSessionEnd(storage);
}

/** Called after a sign-in, with which the keys are in use again, and after they were erased. */
export function forgetSessionEnd(storage: EndStorage): void {
  storage.removeItem(sessionEndKey);
}
