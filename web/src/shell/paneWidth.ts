import { createStore, type StoreApi } from 'zustand/vanilla';

/** How wide somebody likes a pane on this device, in pixels. */
export interface PaneWidth {
  readonly least: number;
  readonly most: number;
  /** Null where nobody has chosen, and the screen decides. */
  readonly store: StoreApi<{ width: number | null }>;
  clamped(width: number): number;
  /** Keeps the width for the next visits; null gives it back to the screen. */
  keep(width: number | null): void;
}

function paneWidth(storageKey: string, { least, most }: { least: number; most: number }): PaneWidth {
  const clamped = (width: number) => Math.round(Math.min(most, Math.max(least, width)));
  const read = () => {
    try {
      const kept = Number.parseInt(localStorage.getItem(storageKey) ?? '', 10);
      return Number.isNaN(kept) ? null : clamped(kept);
    } catch {
      // A browser may keep nothing at all.
      return null;
    }
  };
  const store = createStore<{ width: number | null }>(() => ({ width: read() }));
  return {
    least,
    most,
    store,
    clamped,
    keep(width) {
      store.setState({ width: width === null ? null : clamped(width) });
      try {
        if (width === null) localStorage.removeItem(storageKey);
        else localStorage.setItem(storageKey, String(clamped(width)));
      } catch {
        // Then it holds for this visit.
      }
    },
  };
}

export const listWidth = paneWidth('nolo.listWidth', { least: 280, most: 480 });

/** The content between both keeps a width that can be read in where both are as wide as they can be. */
export const detailsWidth = paneWidth('nolo.detailsWidth', { least: 280, most: 440 });
