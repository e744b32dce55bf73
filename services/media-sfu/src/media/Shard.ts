import type { types } from 'mediasoup';
import { isSameDemand, noDemand, combineDemands, type VideoDemand } from '../domain/demand.ts';
import type { VoiceLevel } from '../domain/LoudestVoices.ts';
import { mediaCodecs } from './codecs.ts';
import type { MediaWorker } from './MediaWorker.ts';
import type { TrackForwarder } from './TrackForwarder.ts';
import { toMediaError } from './refusal.ts';
import { ShardPipe } from './ShardPipe.ts';
import type { Track } from './Track.ts';

/** Callbacks of a shard to its room. */
export interface ShardListener {
  /** Reports levels by producer ID, loudest first. Empty when everyone is silent. */
  levelsMeasured(shard: Shard, levels: VoiceLevel[]): void;
  dominant(producerId: string): void;
  /** Reports that its worker died. */
  shardLost(shard: Shard): void;
}

/** Shortest measuring interval that mediasoup supports. */
const measureEveryMs = 250;

/** Number of voices measured at a time. Three are forwarded, and more are needed to detect rising ones. */
const measuredVoices = 8;

/** Part of a room on one worker: a router, its voice observers, and pipes that bring tracks from elsewhere. */
export class Shard {
  readonly worker: MediaWorker;
  readonly router: types.Router;
  readonly #levels: types.AudioLevelObserver;
  readonly #speakers: types.ActiveSpeakerObserver;
  /** Tracks of other shards that are available here, by producer ID. */
  readonly #brought = new Map<string, Promise<TrackForwarder>>();
  readonly #pipes = new Map<Shard, Promise<ShardPipe>>();
  /** Demands for each video here, by producer ID: those of consumers and of outlets to other workers and nodes. */
  readonly #demands = new Map<string, Map<object, VideoDemand>>();

  private constructor(
    worker: MediaWorker,
    router: types.Router,
    levels: types.AudioLevelObserver,
    speakers: types.ActiveSpeakerObserver,
  ) {
    this.worker = worker;
    this.router = router;
    this.#levels = levels;
    this.#speakers = speakers;
  }

  static async open(worker: MediaWorker, listener: ShardListener): Promise<Shard> {
    const router = await worker.worker.createRouter({ mediaCodecs });
    const [levels, speakers] = await Promise.all([
      router.createAudioLevelObserver({ maxEntries: measuredVoices, threshold: -70, interval: measureEveryMs }),
      router.createActiveSpeakerObserver({ interval: 300 }),
    ]);
    const shard = new Shard(worker, router, levels, speakers);
    levels.on('volumes', (volumes) =>
      listener.levelsMeasured(
        shard,
        volumes.map(({ producer, volume }) => ({ id: producer.id, volume })),
      ),
    );
    levels.on('silence', () => listener.levelsMeasured(shard, []));
    speakers.on('dominantspeaker', ({ producer }) => listener.dominant(producer.id));
    router.on('workerclose', () => listener.shardLost(shard));
    return shard;
  }

  get closed(): boolean {
    return this.router.closed;
  }

  /** Cost of its worker, which other rooms share. */
  get cost(): number {
    return this.worker.cost;
  }

  get load(): number {
    return this.worker.load;
  }

  /** Creates a participant's two transports, for sending and receiving. */
  async openTransports(): Promise<{ send: types.WebRtcTransport; receive: types.WebRtcTransport }> {
    const open = (initialAvailableOutgoingBitrate: number) =>
      this.router.createWebRtcTransport({
        webRtcServer: this.worker.server,
        enableUdp: true,
        enableTcp: true,
        preferUdp: true,
        initialAvailableOutgoingBitrate,
        iceConsentTimeout: 10,
      });
    try {
      const [send, receive] = await Promise.all([open(600_000), open(1_000_000)]);
      return { send, receive };
    } catch (error) {
      throw toMediaError(error, this.router);
    }
  }

  /** Starts measuring a voice that was sent to this shard. */
  async listenTo(track: Track): Promise<void> {
    await Promise.all([
      this.#levels.addProducer({ producerId: track.id }),
      this.#speakers.addProducer({ producerId: track.id }),
    ]);
  }

  /** Makes a track available on this shard's router under the same producer ID. */
  async bring(track: Track): Promise<void> {
    if (track.shard === this) return;
    let brought = this.#brought.get(track.id);
    if (!brought) {
      brought = this.#pipe(track);
      this.#brought.set(track.id, brought);
      const forget = () => void this.#brought.delete(track.id);
      track.producer.observer.once('close', forget);
      brought.catch(forget);
    }
    await brought;
  }

  /**
   * Sets one consumer's demand for a video. Notifies the source whenever the combined demand changes, so senders send,
   * and outlets carry, only what someone views.
   */
  want(track: Track, by: object, demand: VideoDemand): void {
    if (track.kind === 'audio') return;
    const before = this.demand(track);
    const demands = this.#demands.get(track.id) ?? new Map<object, VideoDemand>();
    if (isSameDemand(demand, noDemand)) demands.delete(by);
    else demands.set(by, demand);
    if (demands.size > 0) this.#demands.set(track.id, demands);
    else this.#demands.delete(track.id);
    const now = this.demand(track);
    if (isSameDemand(before, now)) return;
    if (track.shard === this) track.demand?.(now);
    else
      void this.#brought
        .get(track.id)
        ?.then((outlet) => outlet.setDemand(now))
        .catch(() => undefined);
  }

  /** Returns the combined demand for a video here. */
  demand(track: Track): VideoDemand {
    return combineDemands(this.#demands.get(track.id)?.values() ?? []);
  }

  close(): void {
    this.router.close();
  }

  async #pipe(track: Track): Promise<TrackForwarder> {
    const from = track.shard;
    let pipe = this.#pipes.get(from);
    if (!pipe || (await pipe).closed) {
      pipe = ShardPipe.open(from, this.router);
      this.#pipes.set(from, pipe);
      pipe.catch(() => this.#pipes.delete(from));
    }
    return await (await pipe).carry(track);
  }
}
