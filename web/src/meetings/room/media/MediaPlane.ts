import type { ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
import type { Timers } from '../../../api/ports.ts';
import { trackKey, withPaused, withTrack, type RoomStore } from '../model/meetingRoom.ts';
import { SocketError } from '../../../api/socketRequests.ts';
import {
  ownMedia,
  type Ask,
  type LinkHost,
  type LinkState,
  type MediaDevice,
  type MediaLink,
  type Structure,
  type WarmLink,
} from './ports.ts';

/** A track that is to be sent, whatever node carries the room. */
interface Sending {
  track: MediaStreamTrack;
  paused: boolean;
}

const keyOf = ({ participantId, source }: ConsumerOptions): string => trackKey(participantId, source);

/** Consumers that come one after the other are set up and resumed together. */
const gatherMs = 20;
/** What one sends waits for so long at most until what one receives is on its way. */
const clearMs = 200;
/** A connection that was disconnected often comes back by itself. */
const restartDelayMs = 1_000;
/** After a restart the path must be found within this time, or everything is made anew. */
const restartMs = 5_000;
const retryMs = 500;
/** What was not taken is offered again after this, then after twice as long, and so on up to the last: half a minute in all. */
const firstOfferMs = 500;
const lastOfferMs = 16_000;
/** Whoever has no path by then is told so; a path is found within a second, or through a relay within a few. */
export const noPathMs = 8_000;

/** The media of one participant: the link to the node that carries them, moved and mended as it has to be. */
export class MediaPlane {
  readonly #ask: Ask;
  readonly #store: RoomStore;
  readonly #timers: Timers;
  readonly #device: MediaDevice;
  readonly #begun: () => void;
  readonly #unsent: (source: MediaSource) => void;
  readonly #sending = new Map<MediaSource, Sending>();
  /** What is received, by consumer id. */
  readonly #received = new Map<string, string>();
  #link: MediaLink | undefined;
  /** What there was to receive over the link is on its way: before that nothing is sent, which would be in its way. */
  #clear: Promise<void> = Promise.resolve();
  #setClear = () => {};
  #gathered: ConsumerOptions[] = [];
  #cancelGathering: (() => void) | undefined;
  #cancelMending: (() => void) | undefined;
  #cancelSearch: (() => void) | undefined;
  #rebuilding = false;
  /** New transports were asked for: consumers that come now are theirs. */
  #holding = false;
  #closed = false;

  constructor(options: {
    ask: Ask;
    store: RoomStore;
    timers: Timers;
    device: MediaDevice;
    /** There is a new session, which knows nothing of what is visible here. */
    begun: () => void;
    /** What was sent before is not taken any more, and not sent from now on. */
    unsent: (source: MediaSource) => void;
  }) {
    this.#ask = options.ask;
    this.#store = options.store;
    this.#timers = options.timers;
    this.#device = options.device;
    this.#begun = options.begun;
    this.#unsent = options.unsent;
  }

  get state(): LinkState {
    return this.#link?.state ?? 'new';
  }

  /** Goes on with a new session and sends again what was sent. `asked` hears that what there is to receive is asked for. */
  async use(session: MediaSession, warm?: WarmLink, asked = () => {}): Promise<void> {
    if (this.#closed) return;
    this.#settleMending();
    const before = this.#link;
    const host: LinkHost = {
      connect: async (transportId, dtlsParameters) => {
        await this.#ask('media_connect_transport', { transportId, dtlsParameters });
      },
      restartIce: async (transportId) =>
        (await this.#ask('media_restart_ice', { transportId }))['iceParameters'] as Structure,
      produce: async (track) => String((await this.#ask('media_produce', track))['producerId']),
      changed: (state) => {
        if (this.#link === link) this.#changed(state);
      },
    };
    const link = warm?.use(host, session.consumers) ?? this.#device.open(session, host);
    this.#link = link;
    // What became of it on the way was told to nobody.
    if (warm && link.state !== 'new') this.#changed(link.state);
    this.#begun();
    this.#holding = false;
    this.#received.clear();
    const known = new Set(session.consumers.map(({ id }) => id));
    const consumers = [...session.consumers, ...this.#gathered.filter(({ id }) => !known.has(id))];
    this.#gathered = [];
    if (this.#sending.size > 0) this.#expectPath();
    // Whoever waited for the link before goes on with this one.
    this.#setClear();
    this.#clear = new Promise((resolve) => (this.#setClear = resolve));
    const clear = this.#setClear;
    const askedFor = () => {
      asked();
      this.#timers.after(clearMs, clear);
    };
    const sources = [...this.#sending.keys()];
    await Promise.allSettled([
      this.#consume(link, consumers, askedFor).then(clear),
      ...sources.map((source) => this.#sendAgain(link, source)),
    ]);
    // Until here the last pictures of the old link were better than none.
    before?.close();
    if (this.#link === link) this.#forgetOthers();
  }

  /** New transports are about to be asked for. */
  hold(): void {
    this.#holding = true;
    this.#gathered = [];
  }

  add(consumer: ConsumerOptions): void {
    this.#gathered.push(consumer);
    this.#cancelGathering ??= this.#timers.after(gatherMs, () => {
      this.#cancelGathering = undefined;
      if (this.#holding) return;
      const consumers = this.#gathered;
      this.#gathered = [];
      if (this.#link) void this.#consume(this.#link, consumers);
    });
  }

  remove(consumerId: string): void {
    this.#gathered = this.#gathered.filter(({ id }) => id !== consumerId);
    this.#link?.dropConsumer(consumerId);
    const key = this.#received.get(consumerId);
    this.#received.delete(consumerId);
    if (key !== undefined && ![...this.#received.values()].includes(key)) this.#patchTrack(key, null);
  }

  setPaused(consumerId: string, paused: boolean): void {
    const key = this.#received.get(consumerId);
    if (key !== undefined) this.#store.setState(withPaused(this.#store.getState(), key, paused));
  }

  /** Others look at so many layers of what one sends. */
  setLayers(producerId: string, layers: number): void {
    this.#link?.setLayers(producerId, layers);
  }

  /** Sends a track from now on, over this link and over those that follow. */
  async send(source: MediaSource, track: MediaStreamTrack, paused = false): Promise<void> {
    this.#sending.set(source, { track, paused });
    this.#expectPath();
    if (this.#link) await this.#sendOver(this.#link, source);
  }

  async pause(source: MediaSource, keepTrack: boolean): Promise<void> {
    const sending = this.#sending.get(source);
    if (!sending) return;
    if (keepTrack) this.#sending.set(source, { ...sending, paused: true });
    else this.#sending.delete(source);
    await this.#link?.pause(source, keepTrack);
  }

  async stop(source: MediaSource): Promise<void> {
    this.#sending.delete(source);
    const producerId = this.#link?.stop(source);
    if (producerId !== undefined) await this.#ask('media_close_producer', { producerId });
  }

  /** The network is another one: the path is looked for anew. */
  networkChanged(): void {
    if (this.#link && this.#link.state !== 'new') void this.#restart(this.#link);
  }

  /** Without a line to the server a missing path is no wonder, and not what is said. */
  lineLost(): void {
    this.#endSearch();
  }

  /** Looks for a path once more from the beginning, and says again if there is none. */
  async findPath(): Promise<void> {
    this.#endSearch();
    await this.rebuild();
  }

  /** Asks for new transports until there are some: the node is gone, or does not know us any more. */
  async rebuild(): Promise<void> {
    if (this.#rebuilding || this.#closed) return;
    this.#rebuilding = true;
    this.#store.setState({ reconnecting: true });
    this.hold();
    try {
      const session = (await this.#ask('media_join', ownMedia(this.#device))) as unknown as MediaSession;
      this.#rebuilding = false;
      await this.use(session);
      // With something to carry it is the path that ends it, if there is one.
      if (!this.#closed && !this.#cancelSearch) this.#store.setState({ reconnecting: false });
    } catch (error) {
      this.#rebuilding = false;
      // When the line is back the room is entered again, with transports.
      if (error instanceof SocketError && (error.code === 'disconnected' || error.code === 'participant_unknown'))
        return;
      const wait = error instanceof SocketError ? (error.retryAfterMs ?? retryMs) : retryMs;
      // Another node is found sooner than a first one, which is what the server's advice is about.
      this.#mendAfter(Math.min(wait, retryMs), () => this.rebuild());
    }
  }

  close(): void {
    this.#closed = true;
    this.#settleMending();
    this.#endSearch();
    this.#cancelGathering?.();
    this.#link?.close();
    this.#link = undefined;
    this.#setClear();
  }

  async #sendOver(link: MediaLink, source: MediaSource): Promise<void> {
    await this.#clear;
    // Another link sends it too, and what was given up meanwhile is not begun.
    const sending = this.#link === link ? this.#sending.get(source) : undefined;
    if (sending) await link.send(source, sending.track, sending.paused);
  }

  /** Sends over a new link what was sent over the one before. */
  async #sendAgain(link: MediaLink, source: MediaSource, waitMs = firstOfferMs): Promise<void> {
    try {
      await this.#sendOver(link, source);
    } catch {
      if (this.#link !== link || !this.#sending.has(source)) return;
      if (waitMs <= lastOfferMs) {
        this.#timers.after(waitMs, () => void this.#sendAgain(link, source, waitMs * 2));
        return;
      }
      this.#sending.delete(source);
      this.#unsent(source);
    }
  }

  async #consume(link: MediaLink, wanted: readonly ConsumerOptions[], asked = () => {}): Promise<void> {
    if (wanted.length > 0) this.#expectPath();
    const ready = await Promise.all(
      wanted.map(async (consumer) => {
        try {
          return [{ consumer, track: await link.consume(consumer) }];
        } catch {
          // Closed meanwhile, or a codec that this browser does not know: the others go on without it.
          return [];
        }
      }),
    );
    const received = this.#link === link ? ready.flat() : [];
    for (const { consumer } of received) this.#received.set(consumer.id, keyOf(consumer));
    // Before anything is drawn, which takes the page's time, while a first picture is on its way.
    const resumed =
      received.length > 0 &&
      this.#resume(
        link,
        received.map(({ consumer }) => consumer.id),
      );
    asked();
    for (const { consumer, track } of received) this.#patchTrack(keyOf(consumer), track, consumer.producerPaused);
    await resumed;
  }

  async #resume(link: MediaLink, consumerIds: string[], waitMs = firstOfferMs): Promise<void> {
    try {
      await this.#ask('media_resume_consumers', { consumerIds });
    } catch (error) {
      // What is gone meanwhile is told as a frame; the rest has been resumed.
      const mayPass = error instanceof SocketError && error.passing && waitMs <= lastOfferMs;
      if (!mayPass || this.#link !== link) return;
      this.#timers.after(waitMs, () => {
        if (this.#link === link) void this.#resume(link, consumerIds, waitMs * 2);
      });
    }
  }

  #patchTrack(key: string, track: MediaStreamTrack | null, paused = false): void {
    this.#store.setState(withTrack(this.#store.getState(), key, track, paused));
  }

  /** Tracks of others that the new link does not bring. */
  #forgetOthers(): void {
    const { tracks, selfId } = this.#store.getState();
    const received = new Set(this.#received.values());
    for (const key of Object.keys(tracks)) {
      if (!received.has(key) && !key.startsWith(`${selfId} `)) this.#patchTrack(key, null);
    }
  }

  #changed(state: LinkState): void {
    this.#settleMending();
    const link = this.#link;
    if (!link || this.#closed) return;
    if (state === 'connected') {
      this.#endSearch();
      this.#store.setState({ reconnecting: false });
      return;
    }
    this.#expectPath();
    if (state === 'failed') void this.#restart(link);
    else if (state === 'disconnected') this.#mendAfter(restartDelayMs, () => this.#restart(link));
  }

  async #restart(link: MediaLink): Promise<void> {
    if (this.#link !== link || this.#rebuilding) return;
    if (link.state !== 'connected') this.#store.setState({ reconnecting: true });
    try {
      this.#mendAfter(restartMs, async () => {
        if (this.#link === link && link.state !== 'connected') await this.rebuild();
      });
      await link.restartIce();
    } catch (error) {
      if (this.#link !== link) return;
      this.#settleMending();
      // Without a line nothing can be asked; coming back brings everything.
      if (!(error instanceof SocketError && error.offTheLine)) await this.rebuild();
    }
  }

  /** Something is to go over the link: if there is no path in time, that is said, however often it is looked for. */
  #expectPath(): void {
    if (this.#closed || this.state === 'connected') return;
    this.#cancelSearch ??= this.#timers.after(noPathMs, () => this.#store.setState({ noPath: true }));
  }

  #endSearch(): void {
    this.#cancelSearch?.();
    this.#cancelSearch = undefined;
    if (this.#store.getState().noPath) this.#store.setState({ noPath: false });
  }

  #mendAfter(ms: number, task: () => Promise<void>): void {
    this.#settleMending();
    this.#cancelMending = this.#timers.after(ms, () => {
      this.#cancelMending = undefined;
      if (!this.#closed) void task();
    });
  }

  #settleMending(): void {
    this.#cancelMending?.();
    this.#cancelMending = undefined;
  }
}
