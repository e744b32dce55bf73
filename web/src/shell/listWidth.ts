import { createStore } from 'zustand/vanilla';

/** How wide the list may be, in pixels. */
export const listWidths = { least: 280, most: 480 } as const;

/** Where this device keeps how wide its person likes the list. */
const storageKey = 'nolo.listWidth';

export const clampedWidth = (width: number): number =>
  Math.round(Math.min(listWidths.most, Math.max(listWidths.least, width)));

function read(): number | null {
  try {
    const kept = Number.parseInt(localStorage.getItem(storageKey) ?? '', 10);
    return Number.isNaN(kept) ? null : clampedWidth(kept);
  } catch {
    // A browser may keep nothing at all.
    return null;
  }
}

/** Null where nobody has chosen, and the screen decides. */
export const listWidthStore = createStore<{ width: number | null }>(() => ({ width: read() }));

/** Keeps the width for the next visits; null gives it back to the screen. */
export function keepListWidth(width: number | null): void {
  listWidthStore.setState({ width: width === null ? null : clampedWidth(width) });
  try {
    if (width === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, String(clampedWidth(width)));
  } catch {
    // Then it holds for this visit.
  }
}
