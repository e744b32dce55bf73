import { limits } from '@nolo/rules';
import type { Timers } from '../ports.ts';

/** Visible video, as the server expects it. */
export interface ViewedTile {
  participantId: string;
  source: 'camera' | 'screen';
  height: number;
  priority: number;
}

export interface TileVisibilityReporter {
  /**
   * Sets the size of a tile on the screen, or undefined if it is off the screen. A tile with `always` counts while the
   * page is hidden.
   */
  show(key: string, tile: (ViewedTile & { always?: boolean }) | undefined): void;
  /** Called when the page is hidden or visible again. */
  setHidden(hidden: boolean): void;
  /** Sends the view again, because new transports do not know it. */
  resend(): void;
  stop(): void;
}

/** Milliseconds until the view is sent, so that the layout can settle. */
const restMs = 120;
/** Maximum tiles that the server accepts. */
const maxTiles = 24;
/** Pixels. Sizes that differ less request the same layer. */
const step = 16;

/** Collects the visible videos and reports them, so that the server sends nothing else. */
export function createTileVisibilityReporter(options: {
  timers: Timers;
  send: (tiles: ViewedTile[]) => void;
}): TileVisibilityReporter {
  const { timers, send } = options;
  const shown = new Map<string, ViewedTile & { always: boolean }>();
  let hidden = false;
  let lastSent: string | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const sendView = () => {
    cancel = undefined;
    const wanted = new Map<string, ViewedTile>();
    for (const { always, ...tile } of shown.values()) {
      if (hidden && !always) continue;
      // A video shown twice is sent once, in the sharpness of the larger one.
      const video = `${tile.participantId} ${tile.source}`;
      const other = wanted.get(video) ?? tile;
      const height = Math.max(tile.height, other.height);
      wanted.set(video, { ...tile, height, priority: Math.max(tile.priority, other.priority) });
    }
    const tiles = [...wanted.values()]
      .toSorted((a, b) => b.priority - a.priority || b.height - a.height)
      .slice(0, Math.min(maxTiles, limits.visibleTiles * 2));
    const text = JSON.stringify(tiles);
    if (text === lastSent) return;
    lastSent = text;
    send(tiles);
  };
  const later = () => {
    // The tiles unmount after the room is left, when no view is needed.
    if (!stopped) cancel ??= timers.after(restMs, sendView);
  };

  return {
    show(key, tile) {
      if (tile) {
        const height = Math.min(4_320, Math.max(step, Math.round(tile.height / step) * step));
        shown.set(key, { ...tile, height, always: tile.always === true });
      } else shown.delete(key);
      later();
    },
    setHidden(now) {
      hidden = now;
      later();
    },
    resend() {
      lastSent = undefined;
      // An unrendered room has nothing on the screen, but that does not mean that nothing is viewed.
      if (shown.size > 0) later();
    },
    stop() {
      stopped = true;
      cancel?.();
      cancel = undefined;
      shown.clear();
    },
  };
}
