import { limits } from '@nolo/rules';
import type { Timers } from '../../../api/ports.ts';

/** A visible video, as the server takes it. */
export interface ViewedTile {
  participantId: string;
  source: 'camera' | 'screen';
  /** Device pixels. */
  height: number;
  priority: number;
}

export interface TileView {
  /** A tile is on the screen in this size, or is not (undefined); one that is `always` counts while the page is hidden. */
  show(key: string, tile: (ViewedTile & { always?: boolean }) | undefined): void;
  /** Nobody looks: the page is hidden. */
  setHidden(hidden: boolean): void;
  /** Says it once more: new transports know nothing of it. */
  again(): void;
  stop(): void;
}

/** Layout settles before anything is said. */
const restMs = 120;
/** The most that the server takes. */
const mostTiles = 24;
/** A size that differs less asks for the same layer. */
const step = 16;

/** Gathers what is visible and tells the server, so that nothing else is sent. */
export function createTileView(options: { timers: Timers; send: (tiles: ViewedTile[]) => void }): TileView {
  const { timers, send } = options;
  const shown = new Map<string, ViewedTile & { always: boolean }>();
  let hidden = false;
  let told: string | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const tell = () => {
    cancel = undefined;
    const wanted = new Map<string, ViewedTile>();
    for (const { always, ...tile } of shown.values()) {
      if (hidden && !always) continue;
      // What is seen in two places comes once, as sharp as the larger of them.
      const video = `${tile.participantId} ${tile.source}`;
      const other = wanted.get(video) ?? tile;
      const height = Math.max(tile.height, other.height);
      wanted.set(video, { ...tile, height, priority: Math.max(tile.priority, other.priority) });
    }
    const tiles = [...wanted.values()]
      .toSorted((a, b) => b.priority - a.priority || b.height - a.height)
      .slice(0, Math.min(mostTiles, limits.visibleTiles * 2));
    const text = JSON.stringify(tiles);
    if (text === told) return;
    told = text;
    send(tiles);
  };
  const later = () => {
    // The tiles go after the room is left, and nobody asks for that any more.
    if (!stopped) cancel ??= timers.after(restMs, tell);
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
    again() {
      told = undefined;
      // Before a room is drawn nothing is on the screen, which does not mean that nothing is looked at.
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
