import { createSerialQueue } from '@nolo/kit/serialQueue';
import type { types } from 'mediasoup';
import { isSameDemand, noDemand, type VideoDemand } from '../domain/demand.ts';
import { isClosedError } from './refusal.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/**
 * Near end of a track's path to another worker or node. Video is sent while someone there views it, and counts as
 * demand on this side too. Audio is always sent, because the receiving side chooses the loudest.
 */
export class TrackForwarder {
  readonly #consumer: types.Consumer;
  readonly #track: Track;
  readonly #shard: Shard;
  readonly #queue = createSerialQueue();
  #demand = noDemand;

  constructor(options: { consumer: types.Consumer; track: Track; shard: Shard; demand: VideoDemand }) {
    this.#consumer = options.consumer;
    this.#track = options.track;
    this.#shard = options.shard;
    this.#hold(options.demand);
    this.#consumer.observer.once('close', () => this.#hold(noDemand));
  }

  /** Number of layers of the track. */
  get layers(): number {
    return this.#track.layers.spatial;
  }

  /** Sets the demand; rapid changes result in the last one. Mediasoup requests a key frame whenever a video resumes. */
  setDemand(demand: VideoDemand): Promise<void> {
    const consumer = this.#consumer;
    if (consumer.closed) return Promise.resolve();
    this.#hold(demand);
    return this.#queue(async () => {
      if (consumer.closed || consumer.paused !== this.#demand.flows) return;
      try {
        await (this.#demand.flows ? consumer.resume() : consumer.pause());
      } catch (error) {
        // Errors after closing do not matter.
        if (!isClosedError(consumer, error)) throw error;
      }
    });
  }

  #hold(demand: VideoDemand): void {
    if (isSameDemand(demand, this.#demand)) return;
    this.#demand = demand;
    this.#shard.want(this.#track, this, demand);
  }
}
