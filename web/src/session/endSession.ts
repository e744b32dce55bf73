import { eraseEndedKeys, forgetSessionEnd } from '../device/eraseEndedKeys.ts';
import { eraseStoredAccounts } from '../device/eraseStoredAccounts.ts';
import { withTimeout } from '../device/withTimeout.ts';
import { saveAppearanceToCookie } from './appearanceCookie.ts';
import { dropEarlyConversation } from './earlyConversation.ts';
import { eraseDrafts } from '@nolo/client/chat/draftKeys';
import { signOutErasedStorageKeys } from './ownKeys.ts';
import { loginAddress } from './returnPath.ts';
import { sessionStore } from './session.ts';
import { clearMarkers, clearSessionMarker, readPhoneMarker } from './sessionMarker.ts';
import { emptyUnread, unreadStore } from './unread.ts';
import { broadcastErased } from './otherTabs.ts';

/** Erases all personal data on this device, except how the user signed in, and the keys if they are kept. */
async function erasePersonalData(keepsKeys = false): Promise<void> {
  // Unmounts the signed-in screens, which stops the chat engine, before its data is erased.
  sessionStore.getState().leaving();
  unreadStore.setState(emptyUnread);
  navigator.clearAppBadge?.().catch(() => {});
  dropEarlyConversation();
  eraseDrafts(localStorage);
  for (const key of signOutErasedStorageKeys) localStorage.removeItem(key);
  sessionStorage.clear();
  await eraseStoredAccounts(undefined, keepsKeys);
  await import('../device/removePushSubscription.ts')
    .then(({ removePushSubscription }) => removePushSubscription())
    .catch(() => {});
}

/** Erases all other site data here. */
async function eraseAllKept(): Promise<void> {
  const [cacheNames, databases] = await Promise.all([caches.keys(), indexedDB.databases()]);
  await Promise.all(cacheNames.map((name) => caches.delete(name)));
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
}

/** Timeout in milliseconds, because a browser that is itself erasing everything may never respond. */
const timeoutMs = 3_000;

/** Erases all personal data from the device. Display settings stay. */
async function eraseDevice(): Promise<void> {
  broadcastErased();
  saveAppearanceToCookie(document, localStorage);
  clearMarkers(localStorage);
  forgetSessionEnd(localStorage);
  await erasePersonalData();
  try {
    await withTimeout(timeoutMs, eraseAllKept());
  } catch {
    // If the browser stores neither (some private windows), there is nothing to erase.
  }
}

/** Signs out at the user's request: erases all personal data from the device, and ends the provider's session too. */
export async function signOut(): Promise<void> {
  await eraseDevice();
  location.assign('/api/logout');
}

/** Called after an account deletion: there is no session to end, only data to erase. */
export async function leaveDeletedAccount(): Promise<void> {
  await eraseDevice();
  location.replace('/');
}

/**
 * Returns to the sign-in method after a session has ended (decision 1): the phone form if the phone marker is set,
 * otherwise the provider. The address stays, so that signing in again returns to it. The keys stay after a session that
 * expired, for 30 days, because the device continues with them (docs/encryption.md, section 3). They are erased if
 * somebody ended the session.
 */
export async function leaveEndedSession(): Promise<void> {
  clearSessionMarker(localStorage);
  await erasePersonalData(!sessionStore.getState().revoked);
  // Notes the end, for later page loads without a session, which erase the keys.
  // Clock: only the days from now on count.
  await eraseEndedKeys(Date.now(), localStorage).catch(() => undefined);
  if (readPhoneMarker(localStorage) === null) {
    location.assign(loginAddress(location.pathname + location.search + location.hash));
    return;
  }
  sessionStore.getState().signedOut();
  sessionStore.getState().openPhoneSignIn();
}
