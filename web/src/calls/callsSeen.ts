import { createStore } from 'zustand/vanilla';
import { callsSeenKey } from '../session/ownKeys.ts';

/** Kept with whose it is, for another may sign in on this device. */
function read(userId: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(callsSeenKey) ?? 'null') as { owner?: unknown; at?: unknown } | null;
    return kept?.owner === userId && typeof kept.at === 'string' ? kept.at : null;
  } catch {
    // A browser may keep nothing at all.
    return null;
  }
}

/** When the newest call was that one has seen in the list, by account; as far as it was asked for. */
export const callsSeenStore = createStore<Readonly<Record<string, string>>>(() => ({}));

/** Null where the account has never looked at its calls on this device. */
export const seenCalls = (state: Readonly<Record<string, string>>, userId: string): string | null =>
  state[userId] ?? read(userId);

export function keepSeenCalls(userId: string, newest: string): void {
  // Another tab may have seen later ones.
  const known = read(userId);
  const at = known !== null && known > newest ? known : newest;
  callsSeenStore.setState({ [userId]: at });
  try {
    localStorage.setItem(callsSeenKey, JSON.stringify({ owner: userId, at }));
  } catch {
    // Then it holds for this visit.
  }
}
