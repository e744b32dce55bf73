import type { ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
import type { Timers } from '../ports.ts';
import { withPaused, withTrack } from './roomChanges.ts';
import { trackKey, type RoomStore } from './roomState.ts';
import { SocketError } from '../socket/socketRequests.ts';
import {
  toTransportParameters,
  type SendRequest,
  type MediaLinkHost,
  type LinkState,
  type MediaDevice,
  type MediaLink,
  type MediaTrack,
  type MediasoupData,
  type PreparedLink,
} from './ports.ts';

/** Track to be sent, independent of the node that hosts the room. */
interface Sending {
  track: MediaTrack;
  paused: boolean;
}

const keyOf = ({ participantId, source }: ConsumerOptions): string => trackKey(participantId, source);

/** Milliseconds during which new consumers are collected, so that they are set up and resumed together. */
const gatherMs = 20;
/** Maximum milliseconds that sending waits until the media to receive is on its way. */
const clearMs = 200;
/** Delay in milliseconds, because a disconnected connection often recovers by itself. */
const restartDelayMs = 1_000;
/** Milliseconds after a restart within which the path must be found. Otherwise, everything is rebuilt. */
const restartMs = 5_000;
const retryMs = 500;
/**
 * First and last delay in milliseconds for offering a rejected track again. The delay doubles each time, for half a
 * minute in all.
 */
const firstOfferMs = 500;
const lastOfferMs = 16_000;
/**
 * Milliseconds without a path after which the user is notified. Finding one takes a second, or a few through a relay.
 */
export const noMediaPathNoticeMs = 8_000;

/** Media of one participant: maintains the link to their node, moving and repairing it as needed. */
export class MediaNodeConnection {
  readonly #request: SendRequest;
  readonly #store: RoomStore;
  readonly #timers: Timers;
  readonly #device: MediaDevice;
  readonly #begun: () => void;
  readonly #unsent: (source: MediaSource) => void;
  readonly #sending = new Map<MediaSource, Sending>();
  /** Received tracks by consumer id. */
  readonly #received = new Map<string, string>();
  #link: MediaLink | undefined;
  /** Resolves once the media to receive over the link is on its way. Sending waits for it, so as not to compete. */
  #clear: Promise<void> = Promise.resolve();
  #setClear = () => {};
  #gathered: ConsumerOptions[] = [];
  #cancelGathering: (() => void) | undefined;
  #cancelMending: (() => void) | undefined;
  #cancelSearch: (() => void) | undefined;
  #rebuilding = false;
  /** True once new transports are requested, to which all new consumers belong. */
  #holding = false;
  #closed = false;

  constructor(options: {
    request: SendRequest;
    store: RoomStore;
    timers: Timers;
    device: MediaDevice;
    /** Called for a new session, which does not know what is visible here. */
    begun: () => void;
    /** Called when a track sent before is finally rejected and no longer sent. */
    unsent: (source: MediaSource) => void;
  }) {
    this.#request = options.request;
    this.#store = options.store;
    this.#timers = options.timers;
    this.#device = options.device;
    this.#begun = options.begun;
    this.#unsent = options.unsent;
  }

  get state(): LinkState {
    return this.#link?.state ?? 'new';
  }

  /**
   * Switches to a new session and resends the tracks. Calls `onReceiveRequested` once the media to receive is
   * requested.
   */
  async use(session: MediaSession, warm?: PreparedLink, onReceiveRequested = () => {}): Promise<void> {
    if (this.#closed) return;
    this.#settleMending();
    const before = this.#link;
    const host: MediaLinkHost = {
      connect: async (transportId, dtlsParameters) => {
        await this.#request('media_connect_transport', { transportId, dtlsParameters });
      },
      restartIce: async (transportId) =>
        (await this.#request('media_restart_ice', { transportId }))['iceParameters'] as MediasoupData,
      produce: async (track) => String((await this.#request('media_produce', track))['producerId']),
      changed: (state) => {
        if (this.#link === link) this.#changed(state);
      },
    };
    const link = warm?.use(host, session.consumers) ?? this.#device.open(session, host);
    this.#link = link;
    // State changes of the warm link were not reported until now.
    if (warm && link.state !== 'new') this.#changed(link.state);
    this.#begun();
    this.#holding = false;
    this.#received.clear();
    const known = new Set(session.consumers.map(({ id }) => id));
    const consumers = [...session.consumers, ...this.#gathered.filter(({ id }) => !known.has(id))];
    this.#gathered = [];
    if (this.#sending.size > 0) this.#expectPath();
    // Everything waiting for the previous link continues with this one.
    this.#setClear();
    this.#clear = new Promise((resolve) => (this.#setClear = resolve));
    const clear = this.#setClear;
    const onRequested = () => {
      onReceiveRequested();
      this.#timers.after(clearMs, clear);
    };
    const sources = [...this.#sending.keys()];
    await Promise.allSettled([
      this.#consume(link, consumers, onRequested).then(clear),
      ...sources.map((source) => this.#retrySend(link, source)),
    ]);
    // The last pictures of the old link were better than none until now.
    before?.close();
    if (this.#link === link) this.#forgetOthers();
  }

  /** Called before requesting new transports. */
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

  /** Applies how many layers of the user's video others view. */
  setLayers(producerId: string, layers: number): void {
    this.#link?.setLayers(producerId, layers);
  }

  /** Sends a track over this link and all following ones. */
  async send(source: MediaSource, track: MediaTrack, paused = false): Promise<void> {
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
    if (producerId !== undefined) await this.#request('media_close_producer', { producerId });
  }

  /** Searches for a new path after the network changed. */
  networkChanged(): void {
    if (this.#link && this.#link.state !== 'new') void this.#restart(this.#link);
  }

  /** Stops reporting a missing path, which is expected without a connection to the server. */
  handleSocketLost(): void {
    this.#endSearch();
  }

  /** Restarts the search for a path, and reports again if it fails. */
  async findPath(): Promise<void> {
    this.#endSearch();
    await this.rebuild();
  }

  /** Requests new transports until it gets some, because the node is gone or does not know this participant. */
  async rebuild(): Promise<void> {
    if (this.#rebuilding || this.#closed) return;
    this.#rebuilding = true;
    this.#store.setState({ reconnecting: true });
    this.hold();
    try {
      const session = (await this.#request(
        'media_join',
        toTransportParameters(this.#device),
      )) as unknown as MediaSession;
      this.#rebuilding = false;
      await this.use(session);
      // If there is media to carry, finding the path ends the state instead.
      if (!this.#closed && !this.#cancelSearch) this.#store.setState({ reconnecting: false });
    } catch (error) {
      this.#rebuilding = false;
      // Rejoining the room after a reconnect brings transports.
      if (error instanceof SocketError && (error.code === 'disconnected' || error.code === 'participant_unknown'))
        return;
      const wait = error instanceof SocketError ? (error.retryAfterMs ?? retryMs) : retryMs;
      // The server's delay applies to finding a first node. Finding a replacement is faster.
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
    // A newer link sends it already, and tracks stopped meanwhile are not started.
    const sending = this.#link === link ? this.#sending.get(source) : undefined;
    if (sending) await link.send(source, sending.track, sending.paused);
  }

  /** Sends a track of the previous link over a new one. */
  async #retrySend(link: MediaLink, source: MediaSource, waitMs = firstOfferMs): Promise<void> {
    try {
      await this.#sendOver(link, source);
    } catch {
      if (this.#link !== link || !this.#sending.has(source)) return;
      if (waitMs <= lastOfferMs) {
        this.#timers.after(waitMs, () => void this.#retrySend(link, source, waitMs * 2));
        return;
      }
      this.#sending.delete(source);
      this.#unsent(source);
    }
  }

  async #consume(link: MediaLink, wanted: readonly ConsumerOptions[], onReceiveRequested = () => {}): Promise<void> {
    if (wanted.length > 0) this.#expectPath();
    const ready = await Promise.all(
      wanted.map(async (consumer) => {
        try {
          return [{ consumer, track: await link.consume(consumer) }];
        } catch {
          // Closed meanwhile, or a codec that this browser lacks: the others continue without it.
          return [];
        }
      }),
    );
    const received = this.#link === link ? ready.flat() : [];
    for (const { consumer } of received) this.#received.set(consumer.id, keyOf(consumer));
    // Resume before rendering, which takes the page's time while a first picture is on its way.
    const resumed =
      received.length > 0 &&
      this.#resume(
        link,
        received.map(({ consumer }) => consumer.id),
      );
    onReceiveRequested();
    for (const { consumer, track } of received) this.#patchTrack(keyOf(consumer), track, consumer.producerPaused);
    await resumed;
  }

  async #resume(link: MediaLink, consumerIds: string[], waitMs = firstOfferMs): Promise<void> {
    try {
      await this.#request('media_resume_consumers', { consumerIds });
    } catch (error) {
      // A frame reports consumers that are gone. The rest has been resumed.
      const mayPass = error instanceof SocketError && error.passing && waitMs <= lastOfferMs;
      if (!mayPass || this.#link !== link) return;
      this.#timers.after(waitMs, () => {
        if (this.#link === link) void this.#resume(link, consumerIds, waitMs * 2);
      });
    }
  }

  #patchTrack(key: string, track: MediaTrack | null, paused = false): void {
    this.#store.setState(withTrack(this.#store.getState(), key, track, paused));
  }

  /** Removes other people's tracks that the new link lacks. */
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
      // Requests are impossible while offline, and rejoining restores everything.
      if (!(error instanceof SocketError && error.isConnectionFailure)) await this.rebuild();
    }
  }

  /**
   * Called when media needs a path. If none is found in time, notifies the user, regardless of the number of attempts.
   */
  #expectPath(): void {
    if (this.#closed || this.state === 'connected') return;
    this.#cancelSearch ??= this.#timers.after(noMediaPathNoticeMs, () => this.#store.setState({ noPath: true }));
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
