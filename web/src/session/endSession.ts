import { eraseAccounts } from '../device/eraseAccounts.ts';
import { withTimeout } from '../device/withTimeout.ts';
import { carryLook } from './carriedLook.ts';
import { forgetEarly } from './earlyConversation.ts';
import { eraseDrafts, smallKeys } from './ownKeys.ts';
import { loginAddress } from './returnPath.ts';
import { sessionStore } from './session.ts';
import { clearMarkers, clearSessionMarker, phoneMarker } from './sessionMarker.ts';
import { nothingUnread, unreadStore } from './unread.ts';
import { tellErased } from './otherTabs.ts';

/** Everything of the person that this device keeps, apart from how they signed in. */
async function erasePersonalData(): Promise<void> {
  // Unmounts the signed-in screens, and with them stops the chat engine, before its traces go.
  sessionStore.getState().leaving();
  unreadStore.setState(nothingUnread);
  navigator.clearAppBadge?.().catch(() => {});
  forgetEarly();
  eraseDrafts(localStorage);
  for (const key of smallKeys) localStorage.removeItem(key);
  sessionStorage.clear();
  await eraseAccounts();
  await import('../device/forgetPush.ts').then(({ forgetPush }) => forgetPush()).catch(() => {});
}

/** Whatever else the site keeps here. */
async function eraseAllKept(): Promise<void> {
  const [cacheNames, databases] = await Promise.all([caches.keys(), indexedDB.databases()]);
  await Promise.all(cacheNames.map((name) => caches.delete(name)));
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
}

/** A browser that is erasing all of it by itself may never answer. */
const timeoutMs = 3_000;

/** Takes everything of the person off the device; what stays is how they like the app to look. */
async function eraseDevice(): Promise<void> {
  tellErased();
  carryLook(document, localStorage);
  clearMarkers(localStorage);
  await erasePersonalData();
  try {
    await withTimeout(timeoutMs, eraseAllKept());
  } catch {
    // Where the browser keeps neither (private windows of some), there is nothing to erase.
  }
}

/** Signs out by choice: nothing of the person stays on the device, and the provider's session ends too. */
export async function signOut(): Promise<void> {
  await eraseDevice();
  location.assign('/api/logout');
}

/** After the account was deleted: no session is left to end, only traces to erase. */
export async function leaveDeletedAccount(): Promise<void> {
  await eraseDevice();
  location.replace('/');
}

/**
 * Leads back to where the person came from once their session is gone (decision 1): the phone form where the phone
 * marker is set, the provider otherwise. The address stays, so that signing in again ends where they were.
 */
export async function leaveEndedSession(): Promise<void> {
  clearSessionMarker(localStorage);
  await erasePersonalData();
  if (phoneMarker(localStorage) === null) {
    location.assign(loginAddress(location.pathname + location.search + location.hash));
    return;
  }
  sessionStore.getState().signedOut();
  sessionStore.getState().openPhoneSignIn();
}
