import { limits, type MediaSource } from '@nolo/rules';
import type { VisibleTile } from './parameters.ts';

/** Size at which a video is viewed, and its priority when bandwidth is short. */
export interface TileDisplay {
  readonly height: number;
  readonly priority: number;
}

interface Sent {
  /** Producer ID. */
  readonly id: string;
  readonly participantId: string;
  readonly source: MediaSource;
}

/** Assumed size of a video before the client reports its tiles. */
const initialCameraDisplay: TileDisplay = { height: 180, priority: 1 };
const initialScreenDisplay: TileDisplay = { height: 1080, priority: 255 };

/** Videos that a client views: its latest tiles or, before it sends any, shared screens and one page of cameras. */
export class ViewedVideos {
  #tiles: ReadonlyMap<string, TileDisplay> | undefined;
  /** Producer IDs on the first page, used until tiles are known. */
  readonly #firstPage = new Set<string>();

  setTiles(tiles: readonly VisibleTile[]): void {
    this.#tiles = new Map(
      tiles.map(({ participantId, source, height, priority }) => [
        keyOf({ participantId, source }),
        { height, priority },
      ]),
    );
  }

  /** Returns undefined for videos that are not visible and for audio. */
  findDisplay(sent: Sent): TileDisplay | undefined {
    if (sent.source === 'microphone' || sent.source === 'screen_audio') return undefined;
    if (this.#tiles) return this.#tiles.get(keyOf(sent));
    if (sent.source === 'screen') return initialScreenDisplay;
    if (this.#firstPage.size < limits.visibleTiles) this.#firstPage.add(sent.id);
    return this.#firstPage.has(sent.id) ? initialCameraDisplay : undefined;
  }

  /** Removes an ended video, freeing its place on the first page. */
  forget(id: string): void {
    this.#firstPage.delete(id);
  }
}

function keyOf({ participantId, source }: Pick<Sent, 'participantId' | 'source'>): string {
  return `${participantId} ${source}`;
}
