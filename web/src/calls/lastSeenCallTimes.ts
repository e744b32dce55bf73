import { createStore } from 'zustand/vanilla';
import { callsSeenKey } from '../session/ownKeys.ts';

/** Reads the value stored with its owner, because another user may sign in on this device. */
function read(userId: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(callsSeenKey) ?? 'null') as { owner?: unknown; at?: unknown } | null;
    return kept?.owner === userId && typeof kept.at === 'string' ? kept.at : null;
  } catch {
    // The browser may store nothing at all.
    return null;
  }
}

/** Time of the newest call that the user has seen in the list, by account; loaded on demand. */
export const lastSeenCallTimesStore = createStore<Readonly<Record<string, string>>>(() => ({}));

/** Returns null if the account has never viewed its calls on this device. */
export const readLastSeenCallTime = (state: Readonly<Record<string, string>>, userId: string): string | null =>
  state[userId] ?? read(userId);

export function storeLastSeenCallTime(userId: string, newest: string): void {
  // Calls seen in another tab may be later.
  const known = read(userId);
  const at = known !== null && known > newest ? known : newest;
  lastSeenCallTimesStore.setState({ [userId]: at });
  try {
    localStorage.setItem(callsSeenKey, JSON.stringify({ owner: userId, at }));
  } catch {
    // The value then lasts until the next page load.
  }
}
