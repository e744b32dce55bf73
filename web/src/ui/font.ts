/** Storage key that is set if this device has the font. */
export const fontStorageKey = 'nolo.font';

const family = '1em "Inter Variable"';

/** Milliseconds from the start of a page load until its typeface is final. */
export const fontSettleMs = 1_000;

function putOn(root: HTMLElement): void {
  root.dataset.font = 'inter';
}

/** Uses Inter from the first paint on a device that has the font. */
export function applyStoredFont(root: HTMLElement, storage: Pick<Storage, 'getItem'>): void {
  if (storage.getItem(fontStorageKey) === '1') putOn(root);
}

/**
 * Loads the font on a device without it. The typeface does not change during a page's lifetime: a font that arrives
 * after the first second, or after user input, waits for the next page load.
 */
export async function loadFont(page: Document, storage: Pick<Storage, 'setItem'>): Promise<void> {
  const root = page.documentElement;
  if (root.dataset.font !== undefined) return;
  const faces = await page.fonts.load(family);
  if (faces.length === 0) return;
  storage.setItem(fontStorageKey, '1');
  // Browsers that do not report user input keep the initial typeface.
  if (performance.now() < fontSettleMs && navigator.userActivation?.hasBeenActive === false) putOn(root);
}
