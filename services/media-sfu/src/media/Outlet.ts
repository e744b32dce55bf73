import type { types } from 'mediasoup';
import { createTurns } from '../domain/turns.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/**
 * The near end of a track's way to another worker or node. A video is sent there while somebody there looks, and as long
 * as that it is wanted on this side as well. Voices always go: who hears them chooses the loudest.
 */
export class Outlet {
  readonly #consumer: types.Consumer;
  readonly #track: Track;
  readonly #shard: Shard;
  readonly #turns = createTurns();
  #wanted = false;

  constructor(options: { consumer: types.Consumer; track: Track; shard: Shard; wanted: boolean }) {
    this.#consumer = options.consumer;
    this.#track = options.track;
    this.#shard = options.shard;
    this.#hold(options.wanted);
    this.#consumer.observer.once('close', () => this.#hold(false));
  }

  /** Quick changes end in the last one. mediasoup asks for a key frame whenever a video goes on. */
  setWanted(wanted: boolean): Promise<void> {
    const consumer = this.#consumer;
    if (consumer.closed) return Promise.resolve();
    this.#hold(wanted);
    return this.#turns(async () => {
      if (consumer.closed || consumer.paused !== this.#wanted) return;
      try {
        await (this.#wanted ? consumer.resume() : consumer.pause());
      } catch (error) {
        // Closing overtakes everything.
        if (!consumer.closed) throw error;
      }
    });
  }

  #hold(wanted: boolean): void {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    this.#shard.want(this.#track, wanted);
  }
}
