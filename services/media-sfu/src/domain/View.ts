import { limits, type MediaSource } from '@nolo/rules';
import type { Tile } from './parameters.ts';

/** How large somebody sees a video, and how much that one matters where bandwidth is short. */
export interface Look {
  readonly height: number;
  readonly priority: number;
}

interface Sent {
  /** Of the producer. */
  readonly id: string;
  readonly participantId: string;
  readonly source: MediaSource;
}

/** What a client sees of a video before it says how large its tiles are. */
const firstLook: Look = { height: 180, priority: 1 };
const firstScreen: Look = { height: 1080, priority: 255 };

/** What a client looks at: the tiles that it named last, and before that shared screens and a page of cameras. */
export class View {
  #tiles: ReadonlyMap<string, Look> | undefined;
  /** By producer id, until there are tiles. */
  readonly #firstPage = new Set<string>();

  setTiles(tiles: readonly Tile[]): void {
    this.#tiles = new Map(
      tiles.map(({ participantId, source, height, priority }) => [
        keyOf({ participantId, source }),
        { height, priority },
      ]),
    );
  }

  /** Undefined for a video that is not visible, and for what is only heard. */
  lookAt(sent: Sent): Look | undefined {
    if (sent.source === 'microphone' || sent.source === 'screen_audio') return undefined;
    if (this.#tiles) return this.#tiles.get(keyOf(sent));
    if (sent.source === 'screen') return firstScreen;
    if (this.#firstPage.size < limits.visibleTiles) this.#firstPage.add(sent.id);
    return this.#firstPage.has(sent.id) ? firstLook : undefined;
  }

  /** It is over, and leaves its place on a first page to another. */
  forget(id: string): void {
    this.#firstPage.delete(id);
  }
}

function keyOf({ participantId, source }: Pick<Sent, 'participantId' | 'source'>): string {
  return `${participantId} ${source}`;
}
