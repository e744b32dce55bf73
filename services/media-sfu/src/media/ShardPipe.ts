import { createSerialQueue } from '@nolo/kit/serialQueue';
import type { types } from 'mediasoup';
import { noDemand } from '../domain/demand.ts';
import { TrackForwarder } from './TrackForwarder.ts';
import type { Shard } from './Shard.ts';
import { socketBuffers } from './socketBuffers.ts';
import type { Track } from './Track.ts';

const ends = { listenInfo: { protocol: 'udp', ip: '127.0.0.1', ...socketBuffers }, enableRtx: true } as const;

/** Path between two workers of this node for the tracks of one room. */
export class ShardPipe {
  readonly #from: Shard;
  readonly #near: types.PipeTransport;
  readonly #far: types.PipeTransport;

  private constructor(from: Shard, near: types.PipeTransport, far: types.PipeTransport) {
    this.#from = from;
    this.#near = near;
    this.#far = far;
    near.observer.once('close', () => far.close());
    far.observer.once('close', () => near.close());
  }

  static async open(from: Shard, to: types.Router): Promise<ShardPipe> {
    const [near, far] = await Promise.all([from.router.createPipeTransport(ends), to.createPipeTransport(ends)]);
    const pipe = new ShardPipe(from, near, far);
    try {
      await Promise.all([
        near.connect({ ip: far.tuple.localAddress, port: far.tuple.localPort }),
        far.connect({ ip: near.tuple.localAddress, port: near.tuple.localPort }),
      ]);
    } catch (error) {
      near.close();
      throw error;
    }
    return pipe;
  }

  get closed(): boolean {
    return this.#near.closed;
  }

  /** Makes a track of the near side available on the far side under the same producer ID. Initially without demand. */
  async carry(track: Track): Promise<TrackForwarder> {
    const consumer = await this.#near.consume({ producerId: track.id });
    try {
      const isVideo = track.kind === 'video';
      if (isVideo) await consumer.pause();
      const producer = await this.#far.produce({
        id: track.id,
        kind: consumer.kind,
        rtpParameters: consumer.rtpParameters,
        paused: consumer.producerPaused,
      });
      // Passes the sender's own pauses through. Missing demand stays between the two ends.
      const queue = createSerialQueue();
      const follow = () =>
        void queue(async () => {
          if (producer.closed || producer.paused === consumer.producerPaused) return;
          await (consumer.producerPaused ? producer.pause() : producer.resume());
        }).catch(() => undefined);
      consumer.on('producerpause', follow);
      consumer.on('producerresume', follow);
      consumer.observer.once('close', () => producer.close());
      producer.observer.once('close', () => consumer.close());
      if (consumer.closed) producer.close();
      follow();
      const demand = { ...noDemand, flows: !isVideo };
      return new TrackForwarder({ consumer, track, shard: this.#from, demand });
    } catch (error) {
      consumer.close();
      throw error;
    }
  }
}
