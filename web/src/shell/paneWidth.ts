import { createStore, type StoreApi } from 'zustand/vanilla';

/** User's width of a pane on this device, in pixels. */
export interface PaneWidthSetting {
  readonly minWidth: number;
  /** Returns the maximum for the current window, so that the content beside it stays readable. */
  maxWidth(): number;
  /** Null if the user has not chosen a width. The layout then decides. */
  readonly store: StoreApi<{ width: number | null }>;
  clamped(width: number): number;
  /** Stores the width for later sessions. Null resets it to the layout's width. */
  keep(width: number | null): void;
}

interface PaneLimits {
  minWidth: number;
  maxWidth: number;
  /** Maximum share of the window, from 0 to 1. */
  share: number;
}

function paneWidth(storageKey: string, { minWidth, maxWidth: absoluteMaxWidth, share }: PaneLimits): PaneWidthSetting {
  const maxWidth = () => Math.min(absoluteMaxWidth, Math.floor(share * innerWidth));
  const clamped = (width: number) => Math.round(Math.min(maxWidth(), Math.max(minWidth, width)));
  const read = () => {
    try {
      const kept = Number.parseInt(localStorage.getItem(storageKey) ?? '', 10);
      return Number.isNaN(kept) ? null : clamped(kept);
    } catch {
      // A browser may refuse storage entirely.
      return null;
    }
  };
  const store = createStore<{ width: number | null }>(() => ({ width: read() }));
  return {
    minWidth,
    maxWidth,
    store,
    clamped,
    keep(width) {
      store.setState({ width: width === null ? null : clamped(width) });
      try {
        if (width === null) localStorage.removeItem(storageKey);
        else localStorage.setItem(storageKey, String(clamped(width)));
      } catch {
        // The width then lasts until the page closes.
      }
    },
  };
}

export const listPaneWidthSetting = paneWidth('nolo.listWidth', { minWidth: 280, maxWidth: 480, share: 0.4 });
export const detailsPaneWidthSetting = paneWidth('nolo.detailsWidth', { minWidth: 280, maxWidth: 440, share: 0.28 });
