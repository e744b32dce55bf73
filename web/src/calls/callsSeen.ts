import { createStore } from 'zustand/vanilla';

/** Where this device keeps up to when an account has looked at its calls. */
const storageKey = (userId: string): string => `nolo.callsSeen.${userId}`;

function read(userId: string): string | null {
  try {
    return localStorage.getItem(storageKey(userId));
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

export function keepSeenCalls(userId: string, at: string): void {
  callsSeenStore.setState({ [userId]: at });
  try {
    localStorage.setItem(storageKey(userId), at);
  } catch {
    // Then it holds for this visit.
  }
}
