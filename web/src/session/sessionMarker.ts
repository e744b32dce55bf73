/**
 * What the browser may know about a session before it asks: a marker, never the token. The gateway
 * sets a readable cookie beside the session's own; the app keeps the phone number a person signed
 * in with, so that a session that ends leads back to the phone form.
 */
export const sessionStorageKey = 'nolo.session';
export const phoneStorageKey = 'nolo.phone';
export const markerCookie = 'nolo_signed_in';

type MarkerStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function hasSessionMarker(storage: Pick<Storage, 'getItem'>, cookies: string): boolean {
  return (
    storage.getItem(sessionStorageKey) === '1' || cookies.split(/;\s*/).some((cookie) => cookie === `${markerCookie}=1`)
  );
}

export function setSessionMarker(storage: MarkerStorage): void {
  storage.setItem(sessionStorageKey, '1');
}

/** The number of the last phone sign-in, or null for who came through the provider. */
export function phoneMarker(storage: Pick<Storage, 'getItem'>): string | null {
  return storage.getItem(phoneStorageKey);
}

export function setPhoneMarker(storage: MarkerStorage, phoneNumber: string): void {
  storage.setItem(phoneStorageKey, phoneNumber);
}

export function clearPhoneMarker(storage: MarkerStorage): void {
  storage.removeItem(phoneStorageKey);
}

/** Forgets the session but not the phone: the way back in is the same as before. */
export function clearSessionMarker(storage: MarkerStorage): void {
  storage.removeItem(sessionStorageKey);
}

/** Forgets both, after signing out by choice. */
export function clearMarkers(storage: MarkerStorage): void {
  storage.removeItem(sessionStorageKey);
  storage.removeItem(phoneStorageKey);
}
