const storageKey = 'nolo.callDevice';

interface Page {
  addEventListener(type: 'pagehide' | 'pageshow', listener: () => void): void;
}

/**
 * The id of this tab as a device for calls. It outlives a reload, so that a call goes on after one. While the page is
 * there the storage is empty: a tab that is duplicated copies the storage, and must not be taken for this one.
 */
export function callDevice(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  page: Page,
  newId: () => string,
): string {
  const id = storage.getItem(storageKey) ?? newId();
  storage.removeItem(storageKey);
  page.addEventListener('pagehide', () => storage.setItem(storageKey, id));
  // Back from the browser's cache of pages.
  page.addEventListener('pageshow', () => storage.removeItem(storageKey));
  return id;
}
