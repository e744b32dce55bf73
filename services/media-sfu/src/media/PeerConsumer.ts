import { createSerialQueue } from '@nolo/kit/serialQueue';
import type { types } from 'mediasoup';
import { isSameDemand, noDemand, type VideoDemand } from '../domain/demand.ts';
import type { ClientConsumerOptions } from '../domain/messages.ts';
import { layersFor, type ChosenLayers } from '../domain/layers.ts';
import { isClosedError } from './refusal.ts';
import type { Track } from './Track.ts';
import type { TileDisplay } from '../domain/ViewedVideos.ts';

export function toClientConsumerOptions(consumer: types.Consumer, track: Track): ClientConsumerOptions {
  return {
    id: consumer.id,
    producerId: consumer.producerId,
    participantId: track.participantId,
    source: track.source,
    kind: consumer.kind,
    rtpParameters: consumer.rtpParameters,
    producerPaused: consumer.producerPaused,
  };
}

/**
 * Consumer of one participant. Sends while the client is ready and the track is wanted: a video if its tile is visible,
 * a voice if it is among the loudest. Mediasoup requests a key frame whenever a video resumes.
 */
export class PeerConsumer {
  readonly track: Track;
  readonly consumer: types.Consumer;
  readonly #want: (demand: VideoDemand) => void;
  readonly #queue = createSerialQueue();
  #ready = false;
  #audible: boolean;
  #display: TileDisplay | undefined;
  #layers: ChosenLayers | undefined;
  #lastSent = noDemand;

  /** `want` is called whenever this consumer's demand for a video changes. */
  constructor(options: {
    track: Track;
    consumer: types.Consumer;
    audible: boolean;
    display: TileDisplay | undefined;
    want: (demand: VideoDemand) => void;
  }) {
    this.track = options.track;
    this.consumer = options.consumer;
    this.#audible = options.audible;
    this.#display = options.display;
    this.#want = options.want;
    this.consumer.observer.once('close', () => this.#sendDemand());
    this.#sendDemand();
  }

  get options(): ClientConsumerOptions {
    return toClientConsumerOptions(this.consumer, this.track);
  }

  get display(): TileDisplay | undefined {
    return this.#display;
  }

  /** True if it should send now. */
  get wanted(): boolean {
    return this.#ready && (this.consumer.kind === 'audio' ? this.#audible : this.#display !== undefined);
  }

  get sending(): boolean {
    return !this.consumer.closed && !this.consumer.paused && !this.consumer.producerPaused;
  }

  /** True if it sends less than its tile requests although the sender has more. */
  get degraded(): boolean {
    if (!this.sending || !this.#layers) return false;
    const { producerScores } = this.consumer.score;
    const highestSent =
      this.consumer.type === 'simulcast' ? producerScores.findLastIndex((score) => score > 0) : Infinity;
    const current = this.consumer.currentLayers?.spatialLayer ?? -1;
    return current < Math.min(this.#layers.spatialLayer, highestSent);
  }

  ready(): Promise<void> {
    this.#ready = true;
    return this.#apply();
  }

  setAudible(audible: boolean): Promise<void> {
    if (this.#audible === audible) return Promise.resolve();
    this.#audible = audible;
    return this.#apply();
  }

  /** Sets the viewed size. Undefined if the video is not visible. */
  setDisplay(display: TileDisplay | undefined): Promise<void> {
    this.#display = display;
    return this.#apply();
  }

  /** Updates the worker's consumer in its queue, so rapid changes result in the last one. */
  #apply(): Promise<void> {
    this.#sendDemand();
    return this.#queue(async () => {
      const { consumer } = this;
      try {
        if (!consumer.closed && this.#display) await this.#applyDisplay(this.#display);
        if (!consumer.closed && this.wanted === consumer.paused)
          await (this.wanted ? consumer.resume() : consumer.pause());
      } catch (error) {
        // Errors after closing do not matter.
        if (!isClosedError(consumer, error)) throw error;
      }
    });
  }

  #sendDemand(): void {
    const now = this.#demand();
    if (isSameDemand(now, this.#lastSent)) return;
    this.#lastSent = now;
    this.#want(now);
  }

  /** Demands layers before the client is ready, because the sender needs about as long to encode them. */
  #demand(): VideoDemand {
    if (this.consumer.closed || this.consumer.kind === 'audio' || !this.#display) return noDemand;
    return { flows: this.wanted, layers: this.#layersFor(this.#display).spatialLayer + 1 };
  }

  #layersFor({ height }: TileDisplay): ChosenLayers {
    return layersFor(height, this.track.source, this.track.layers);
  }

  /** Runs before resuming, so the requested key frame has the right layer. */
  async #applyDisplay(display: TileDisplay): Promise<void> {
    const { consumer } = this;
    if (consumer.priority !== display.priority) await consumer.setPriority(display.priority);
    if (consumer.closed || (consumer.type !== 'simulcast' && consumer.type !== 'svc')) return;
    const layers = this.#layersFor(display);
    if (layers.spatialLayer === this.#layers?.spatialLayer && layers.temporalLayer === this.#layers.temporalLayer)
      return;
    this.#layers = layers;
    await consumer.setPreferredLayers(layers);
  }
}
