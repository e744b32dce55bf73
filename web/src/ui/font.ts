/** Says that this device has been brought the font. */
export const fontStorageKey = 'nolo.font';

const family = '1em "Inter Variable"';

let here = false;

/** From here on text is drawn in Inter and not in the stand-in of its measures (fonts.css). */
function wear(root: HTMLElement): void {
  root.dataset.font = 'inter';
}

/** Text is drawn in Inter from the first paint on a device that has the font. */
export function wearKeptFont(root: HTMLElement, storage: Pick<Storage, 'getItem'>): void {
  if (storage.getItem(fontStorageKey) === '1') wear(root);
}

/** Later than what a press asked for has been drawn, and as long as the eye is on what changes. */
const afterPressMs = 200;

/**
 * Brings the font to a device that has none. Words that somebody reads do not move for it: it is put on with the next
 * screen that takes the place of all (see `reveal`), after the first press, where nobody looks, or by the next page.
 */
export async function bringFont(page: Document, storage: Pick<Storage, 'getItem' | 'setItem'>): Promise<void> {
  const root = page.documentElement;
  if (root.dataset.font !== undefined) return;
  const faces = await page.fonts.load(family);
  if (faces.length === 0) return;
  here = true;
  storage.setItem(fontStorageKey, '1');
  page.addEventListener('click', () => setTimeout(() => wear(root), afterPressMs), { once: true });
  page.addEventListener('visibilitychange', () => wear(root), { once: true });
}

/** A screen that takes the place of all that was there begins in Inter if the font is here by now. */
export function wearBroughtFont(root: HTMLElement): void {
  if (here) wear(root);
}
