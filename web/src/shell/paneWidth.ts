import { createStore, type StoreApi } from 'zustand/vanilla';

/** How wide somebody likes a pane on this device, in pixels. */
export interface PaneWidth {
  readonly least: number;
  /** In the window as it is now: what stands beside it keeps a width that can be read in. */
  most(): number;
  /** Null where nobody has chosen, and the screen decides. */
  readonly store: StoreApi<{ width: number | null }>;
  clamped(width: number): number;
  /** Keeps the width for the next visits; null gives it back to the screen. */
  keep(width: number | null): void;
}

interface PaneLimits {
  least: number;
  most: number;
  /** The most of the window that it may take, from 0 to 1. */
  share: number;
}

function paneWidth(storageKey: string, { least, most: mostEver, share }: PaneLimits): PaneWidth {
  const most = () => Math.min(mostEver, Math.floor(share * innerWidth));
  const clamped = (width: number) => Math.round(Math.min(most(), Math.max(least, width)));
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

export const listWidth = paneWidth('nolo.listWidth', { least: 280, most: 480, share: 0.4 });
export const detailsWidth = paneWidth('nolo.detailsWidth', { least: 280, most: 440, share: 0.28 });
