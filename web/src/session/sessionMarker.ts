/**
 * Session data that the browser may know before a request: a marker, never the token. The gateway sets a readable
 * cookie next to the session's own. The app stores the phone number of the last sign-in, so that an ended session
 * returns to the phone form.
 */
export const sessionMarkerStorageKey = 'nolo.session';
const phoneMarkerStorageKey = 'nolo.phone';
const markerCookie = 'nolo_signed_in';

type MarkerStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function hasSessionMarker(storage: Pick<Storage, 'getItem'>, cookies: string): boolean {
  return (
    storage.getItem(sessionMarkerStorageKey) === '1' ||
    cookies.split(/;\s*/).some((cookie) => cookie === `${markerCookie}=1`)
  );
}

export function setSessionMarker(storage: MarkerStorage): void {
  storage.setItem(sessionMarkerStorageKey, '1');
}

/** Returns the number of the last phone sign-in, or null after a sign-in through the provider. */
export function readPhoneMarker(storage: Pick<Storage, 'getItem'>): string | null {
  return storage.getItem(phoneMarkerStorageKey);
}

export function setPhoneMarker(storage: MarkerStorage, phoneNumber: string): void {
  storage.setItem(phoneMarkerStorageKey, phoneNumber);
}

export function clearPhoneMarker(storage: MarkerStorage): void {
  storage.removeItem(phoneMarkerStorageKey);
}

/** Deletes the session marker but not the phone number, so that the way to sign in stays the same. */
export function clearSessionMarker(storage: MarkerStorage): void {
  storage.removeItem(sessionMarkerStorageKey);
}

/** Deletes both after the user signed out. */
export function clearMarkers(storage: MarkerStorage): void {
  storage.removeItem(sessionMarkerStorageKey);
  storage.removeItem(phoneMarkerStorageKey);
}
