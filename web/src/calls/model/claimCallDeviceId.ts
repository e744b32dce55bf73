const storageKey = 'nolo.callDevice';

/**
 * Returns the id of this tab as a device for calls. It survives a reload, so that a call continues. While the page is
 * open, the storage is empty: a duplicated tab copies the storage and must not be taken for this one.
 */
export function claimCallDeviceId(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  page: { addEventListener(type: 'pagehide' | 'pageshow', listener: () => void): void },
  newId: () => string,
): string {
  const id = storage.getItem(storageKey) ?? newId();
  storage.removeItem(storageKey);
  page.addEventListener('pagehide', () => storage.setItem(storageKey, id));
  // Restored from the browser's back/forward cache.
  page.addEventListener('pageshow', () => storage.removeItem(storageKey));
  return id;
}
