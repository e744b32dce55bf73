import { createLine } from '@nolo/kit/turns';
import type { types } from 'mediasoup';
import { isSame, noDemand, type Demand } from '../domain/demand.ts';
import { isOver } from './refusal.ts';
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
  readonly #turns = createLine();
  #demand = noDemand;

  constructor(options: { consumer: types.Consumer; track: Track; shard: Shard; demand: Demand }) {
    this.#consumer = options.consumer;
    this.#track = options.track;
    this.#shard = options.shard;
    this.#hold(options.demand);
    this.#consumer.observer.once('close', () => this.#hold(noDemand));
  }

  /** How many layers the track has. */
  get layers(): number {
    return this.#track.layers.spatial;
  }

  /** Quick changes end in the last one. mediasoup asks for a key frame whenever a video goes on. */
  setDemand(demand: Demand): Promise<void> {
    const consumer = this.#consumer;
    if (consumer.closed) return Promise.resolve();
    this.#hold(demand);
    return this.#turns(async () => {
      if (consumer.closed || consumer.paused !== this.#demand.flows) return;
      try {
        await (this.#demand.flows ? consumer.resume() : consumer.pause());
      } catch (error) {
        // Closing overtakes everything.
        if (!isOver(consumer, error)) throw error;
      }
    });
  }

  #hold(demand: Demand): void {
    if (isSame(demand, this.#demand)) return;
    this.#demand = demand;
    this.#shard.want(this.#track, this, demand);
  }
}
