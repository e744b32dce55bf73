import { createLine } from '@nolo/kit/turns';
import type { types } from 'mediasoup';
import { isSame, noDemand, type Demand } from '../domain/demand.ts';
import type { ConsumerOptions } from '../domain/messages.ts';
import { layersFor, type ChosenLayers } from '../domain/layers.ts';
import { isOver } from './refusal.ts';
import type { Track } from './Track.ts';
import type { Look } from '../domain/View.ts';

export function consumerOptions(consumer: types.Consumer, track: Track): ConsumerOptions {
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
 * A consumer of one participant. It sends while the client is ready for it and it is wanted: a video because its tile is
 * visible, a voice because it is among the loudest. mediasoup asks for a key frame whenever a video goes on.
 */
export class PeerConsumer {
  readonly track: Track;
  readonly consumer: types.Consumer;
  readonly #want: (demand: Demand) => void;
  readonly #turns = createLine();
  #ready = false;
  #audible: boolean;
  #look: Look | undefined;
  #layers: ChosenLayers | undefined;
  #told = noDemand;

  /** `want` hears what of a video is wanted here, whenever that changes. */
  constructor(options: {
    track: Track;
    consumer: types.Consumer;
    audible: boolean;
    look: Look | undefined;
    want: (demand: Demand) => void;
  }) {
    this.track = options.track;
    this.consumer = options.consumer;
    this.#audible = options.audible;
    this.#look = options.look;
    this.#want = options.want;
    this.consumer.observer.once('close', () => this.#tell());
    this.#tell();
  }

  get options(): ConsumerOptions {
    return consumerOptions(this.consumer, this.track);
  }

  get look(): Look | undefined {
    return this.#look;
  }

  /** Whether it is meant to send now. */
  get wanted(): boolean {
    return this.#ready && (this.consumer.kind === 'audio' ? this.#audible : this.#look !== undefined);
  }

  get sending(): boolean {
    return !this.consumer.closed && !this.consumer.paused && !this.consumer.producerPaused;
  }

  /** Whether it sends less than its tile asks for although the sender has more. */
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

  /** Undefined where the video is not visible. */
  setLook(look: Look | undefined): Promise<void> {
    this.#look = look;
    return this.#apply();
  }

  /** Brings the worker's consumer to what is wanted when its turn comes, so that quick changes end in the last one. */
  #apply(): Promise<void> {
    this.#tell();
    return this.#turns(async () => {
      const { consumer } = this;
      try {
        if (!consumer.closed && this.#look) await this.#applyLook(this.#look);
        if (!consumer.closed && this.wanted === consumer.paused)
          await (this.wanted ? consumer.resume() : consumer.pause());
      } catch (error) {
        // Closing overtakes everything.
        if (!isOver(consumer, error)) throw error;
      }
    });
  }

  #tell(): void {
    const now = this.#demand();
    if (isSame(now, this.#told)) return;
    this.#told = now;
    this.#want(now);
  }

  /** Layers are wanted before the client is ready: it takes the sender about as long to encode them. */
  #demand(): Demand {
    if (this.consumer.closed || this.consumer.kind === 'audio' || !this.#look) return noDemand;
    return { flows: this.wanted, layers: this.#layersFor(this.#look).spatialLayer + 1 };
  }

  #layersFor({ height }: Look): ChosenLayers {
    return layersFor(height, this.track.source, this.track.layers);
  }

  /** Before it goes on, so that the key frame it then asks for is one of the right layer. */
  async #applyLook(look: Look): Promise<void> {
    const { consumer } = this;
    if (consumer.priority !== look.priority) await consumer.setPriority(look.priority);
    if (consumer.closed || (consumer.type !== 'simulcast' && consumer.type !== 'svc')) return;
    const layers = this.#layersFor(look);
    if (layers.spatialLayer === this.#layers?.spatialLayer && layers.temporalLayer === this.#layers.temporalLayer)
      return;
    this.#layers = layers;
    await consumer.setPreferredLayers(layers);
  }
}
