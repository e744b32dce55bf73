import { recoveryAskedKey, setUpDismissedKey } from '../../session/ownKeys.ts';
import { createStore } from 'zustand/vanilla';

/** Banners that the user puts away for good on this device. */
const storageKeys = { setUp: setUpDismissedKey, recovery: recoveryAskedKey } as const;
export type AskedOnce = keyof typeof storageKeys;

function read(name: AskedOnce): boolean {
  try {
    return localStorage.getItem(storageKeys[name]) !== null;
  } catch {
    // Browsers may deny the storage.
    return false;
  }
}

export const askedOnce = createStore<Readonly<Record<AskedOnce, boolean>>>(() => ({
  setUp: read('setUp'),
  recovery: read('recovery'),
}));

/** Puts a banner away. */
export function putAway(name: AskedOnce): void {
  askedOnce.setState({ [name]: true });
  try {
    localStorage.setItem(storageKeys[name], '1');
  } catch {
    // Browsers may deny the storage: the banner then comes back with the next page load.
  }
}
