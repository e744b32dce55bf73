import type { ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
import { Device, type types } from 'mediasoup-client';
import { serverNow } from '../../../api/serverClock.ts';
import { encodingsFor } from './encodings.ts';
import type { MediaFrameTransforms } from './frames/mediaFrameTransforms.ts';
import type { MediaLinkHost, LinkState, MediaDevice, MediaLink, MediasoupData } from '@nolo/client/rooms/ports';

/** The only module that uses mediasoup-client. It loads with the first call or meeting. */

export async function createMediasoupDevice(
  routerRtpCapabilities: MediasoupData,
  frames: MediaFrameTransforms,
): Promise<MediaDevice> {
  const device = await Device.factory();
  const [identity] = await Promise.all([
    makeIdentity(),
    device.load({ routerRtpCapabilities: routerRtpCapabilities as types.RtpCapabilities }),
  ]);
  return createMediaDevice(device, identity, frames);
}

/** Wraps a loaded device of mediasoup-client. `identity` is the certificate of its transports, if known. */
export function createMediaDevice(
  device: Device,
  identity: Identity | undefined,
  frames: MediaFrameTransforms,
): MediaDevice {
  const rtpCapabilities = device.recvRtpCapabilities as unknown as MediasoupData;
  const link = (session: MediaSession, host: MediaLinkHost) =>
    new MediasoupLink(device, { session, certificate: identity?.certificate, host, frames });
  return {
    rtpCapabilities,
    get dtlsParameters() {
      return identity && serverNow() < identity.goodUntil ? identity.dtlsParameters : undefined;
    },
    open: link,
    warm(session, gone) {
      const warmed = link(session, createPreJoinHost(gone));
      warmed.warm(session.consumers, device.recvRtpCapabilities).catch(gone);
      return {
        get readyConsumerIds() {
          return warmed.consumerIds;
        },
        use(host, consumers) {
          warmed.adopt(host, consumers);
          return warmed;
        },
        close: () => warmed.close(),
      };
    },
  };
}

/** Milliseconds of certificate lifetime left unused. Transports are used soon after they are requested. */
const spareMs = 3_600_000;

/** Certificate of this page's transports, known before there are any. */
interface Identity {
  certificate: RTCCertificate;
  dtlsParameters: MediasoupData;
  /** Milliseconds since the epoch. */
  goodUntil: number;
}

/**
 * Resolves to undefined if the browser does not reveal its fingerprint. Each transport then creates its own
 * certificate.
 */
async function makeIdentity(): Promise<Identity | undefined> {
  try {
    // mediasoup-client copies its options.
    const certificate = structuredClone(
      await RTCPeerConnection.generateCertificate({ name: 'ECDSA', namedCurve: 'P-256' } as EcKeyGenParams),
    );
    const connection = new RTCPeerConnection({ certificates: [certificate] });
    connection.addTransceiver('audio');
    const { sdp = '' } = await connection.createOffer();
    connection.close();
    const [, algorithm, value] = /^a=fingerprint:(\S+) (\S+)/m.exec(sdp) ?? [];
    if (!algorithm || !value) return undefined;
    // The client role starts the handshake, as mediasoup-client declares for a transport.
    const dtlsParameters = { role: 'client', fingerprints: [{ algorithm, value }] };
    return { certificate, dtlsParameters, goodUntil: certificate.expires - spareMs };
  } catch {
    return undefined;
  }
}

/** Host of a link before joining, when no participant exists to send requests for. */
function createPreJoinHost(gone: () => void): MediaLinkHost {
  const refuse = () => Promise.reject(new Error('The room has not been joined yet.'));
  return {
    connect: refuse,
    restartIce: refuse,
    produce: refuse,
    changed: (state) => void ((state === 'failed' || state === 'disconnected') && gone()),
  };
}

/** Id of media that is never sent or received, which provides something to describe before there is any. */
const placeholder = 'door';

/**
 * Parameters of an empty video. With the first video, mediasoup-client also creates its probing stream, which is
 * thereby done in advance.
 */
function placeholderParameters({ codecs = [], headerExtensions = [] }: types.RtpCapabilities): types.RtpParameters {
  const codec = codecs.find(({ kind, mimeType }) => kind === 'video' && !mimeType.endsWith('/rtx'));
  if (codec?.preferredPayloadType === undefined) throw new Error('This browser cannot receive video.');
  const { mimeType, preferredPayloadType, clockRate, parameters = {}, rtcpFeedback = [] } = codec;
  return {
    mid: placeholder,
    codecs: [{ mimeType, payloadType: preferredPayloadType, clockRate, parameters, rtcpFeedback }],
    headerExtensions: headerExtensions
      .filter(({ kind }) => kind === 'video')
      .map(({ uri, preferredId }) => ({ uri, id: preferredId })),
    encodings: [{ ssrc: 1235 }],
    rtcp: { cname: placeholder },
  };
}

/** Adapts a promise to mediasoup-client's callbacks. */
async function answer<T>(request: Promise<T>, done: (value: T) => void, failed: (error: Error) => void): Promise<void> {
  let value: T;
  try {
    value = await request;
  } catch (error) {
    failed(error as Error);
    return;
  }
  done(value);
}

const badness: readonly LinkState[] = ['connected', 'new', 'connecting', 'disconnected', 'failed'];

const codecOptions: types.ProducerCodecOptions = {
  opusDtx: true,
  opusFec: true,
  opusNack: true,
  // Speech needs no second channel.
  opusStereo: false,
  videoGoogleStartBitrate: 800,
};

/** Send and receive transports, and the media on them. */
class MediasoupLink implements MediaLink {
  #host: MediaLinkHost;
  readonly #send: types.Transport;
  readonly #receive: types.Transport;
  readonly #producers = new Map<MediaSource, types.Producer>();
  readonly #consumers = new Map<string, types.Consumer>();
  /** Consumers that the browser is setting up, by id. */
  readonly #creating = new Map<string, Promise<types.Consumer>>();
  /** Requested number of layers by producer id, if not all. */
  readonly #layers = new Map<string, number>();
  /** True if the node has this side's parameters already. */
  readonly #isKnown: boolean;
  readonly #frames: MediaFrameTransforms;
  #applied: Promise<void> = Promise.resolve();
  #state: LinkState = 'new';

  constructor(
    device: Device,
    options: {
      session: MediaSession;
      certificate: RTCCertificate | undefined;
      host: MediaLinkHost;
      frames: MediaFrameTransforms;
    },
  ) {
    const { session, certificate, host } = options;
    this.#host = host;
    this.#frames = options.frames;
    this.#isKnown = session.connected;
    const iceServers = session.iceServers as RTCIceServer[];
    const certificates = this.#isKnown && certificate ? [certificate] : [];
    const optionsOf = (transport: MediaSession['sendTransport']) =>
      ({ ...transport, iceServers, additionalSettings: { certificates } }) as unknown as types.TransportOptions;
    this.#send = device.createSendTransport(optionsOf(session.sendTransport));
    this.#receive = device.createRecvTransport(optionsOf(session.receiveTransport));
    for (const transport of [this.#send, this.#receive]) this.#wire(transport);
    this.#send.on('produce', ({ kind, rtpParameters, appData }, done, failed) => {
      const { source, paused, lines } = appData as { source?: MediaSource; paused: boolean; lines?: number };
      if (source === undefined) return done({ id: placeholder });
      const request = this.#host.produce({
        kind,
        source,
        rtpParameters: rtpParameters as unknown as MediasoupData,
        paused,
        ...(lines === undefined ? {} : { lines }),
      });
      void answer(request, (id) => done({ id }), failed);
    });
  }

  get state(): LinkState {
    return this.#state;
  }

  get consumerIds(): string[] {
    return [...this.#consumers.keys()];
  }

  /** Hands the link over to the host of the joined room. */
  adopt(host: MediaLinkHost, consumers: readonly ConsumerOptions[]): void {
    this.#host = host;
    const there = new Set(consumers.map(({ id }) => id));
    for (const id of [...this.consumerIds, ...this.#creating.keys()]) if (!there.has(id)) this.dropConsumer(id);
  }

  /**
   * Connects both transports by describing media that is never carried. Also describes the expected consumers, because
   * that takes browsers longest while a user waits for a picture.
   */
  async warm(consumers: readonly ConsumerOptions[], capabilities: types.RtpCapabilities): Promise<void> {
    const source = new RTCPeerConnection();
    const { track } = source.addTransceiver('audio').receiver;
    try {
      await Promise.all([
        this.#receive.consume({
          id: placeholder,
          producerId: placeholder,
          kind: 'video',
          rtpParameters: placeholderParameters(capabilities),
        }),
        // A consumer that is closed meanwhile, or has an unknown codec, is requested again after joining.
        ...consumers.map((consumer) => this.consume(consumer).catch(() => undefined)),
        this.#send.produce({
          track,
          stopTracks: false,
          // The track is removed before anything is described, so that none of it can be sent.
          onRtpSender: (sender) => void sender.replaceTrack(null),
        }),
      ]);
    } finally {
      source.close();
    }
  }

  async consume(options: ConsumerOptions): Promise<MediaStreamTrack> {
    const { id } = options;
    const known = this.#consumers.get(id);
    if (known && !known.closed) return known.track;
    // A join may request what the pre-join page is still setting up. A browser that gets the same media described twice
    // refuses it, and everything described after it.
    const creating = this.#creating.get(id) ?? this.#createConsumer(options);
    this.#creating.set(id, creating);
    const { track } = await creating;
    return track;
  }

  dropConsumer(consumerId: string): void {
    // One that is still being created closes as soon as it exists.
    this.#creating.delete(consumerId);
    this.#consumers.get(consumerId)?.close();
    this.#consumers.delete(consumerId);
  }

  async #createConsumer(options: ConsumerOptions): Promise<types.Consumer> {
    const { id, producerId, kind, rtpParameters, participantId, source } = options;
    try {
      const consumer = await this.#receive.consume({
        id,
        producerId,
        kind,
        rtpParameters: rtpParameters as unknown as types.RtpParameters,
        // Camera and microphone of a person stay in sync, and a shared screen with its own sound.
        streamId: `${participantId}-${source.startsWith('screen') ? 'screen' : 'person'}`,
        onRtpReceiver: (receiver) => this.#frames.receiver(receiver),
      });
      if (!this.#creating.has(id)) {
        consumer.close();
        throw new Error('The consumer ended before it was set up.');
      }
      this.#consumers.set(id, consumer);
      return consumer;
    } finally {
      this.#creating.delete(id);
    }
  }

  async send(source: MediaSource, track: MediaStreamTrack, paused: boolean): Promise<void> {
    const known = this.#producers.get(source);
    const { width = 1280, height = 720 } = track.kind === 'video' ? track.getSettings() : {};
    // A phone held upright has its shorter side horizontal.
    const lines = Math.min(width, height);
    // A camera of another size has other layers, and the receivers choose among them by its lines.
    if (known && source === 'camera' && known.track !== track && known.appData['lines'] !== lines) this.stop(source);
    else if (known && !known.closed) {
      if (known.track !== track) await known.replaceTrack({ track });
      if (paused) known.pause();
      else known.resume();
      return;
    }
    if (this.#send.closed) return;
    const producer = await this.#send.produce({
      track,
      ...(track.kind === 'video' ? { encodings: encodingsFor(source, lines) } : {}),
      codecOptions,
      onRtpSender: (sender) => this.#frames.sender(sender, track.kind as types.MediaKind),
      // The devices own the tracks and stop them.
      stopTracks: false,
      zeroRtpOnPause: true,
      appData: track.kind === 'video' ? { source, paused, lines } : { source, paused },
    });
    if (paused) producer.pause();
    this.#producers.set(source, producer);
    this.#applyLayers(producer);
  }

  setLayers(producerId: string, layers: number): void {
    this.#layers.set(producerId, layers);
    for (const producer of this.#producers.values()) if (producer.id === producerId) this.#applyLayers(producer);
  }

  async pause(source: MediaSource, keepTrack: boolean): Promise<void> {
    const producer = this.#producers.get(source);
    if (!producer || producer.closed) return;
    producer.pause();
    if (!keepTrack) await producer.replaceTrack({ track: null });
  }

  stop(source: MediaSource): string | undefined {
    const producer = this.#producers.get(source);
    this.#producers.delete(source);
    if (producer) this.#layers.delete(producer.id);
    producer?.close();
    return producer?.id;
  }

  async restartIce(): Promise<void> {
    await Promise.all(
      [this.#send, this.#receive]
        // A transport that was never used has nothing to restart.
        .filter((transport) => !transport.closed && transport.connectionState !== 'new')
        .map(async (transport) => {
          const iceParameters = await this.#host.restartIce(transport.id);
          await transport.restartIce({ iceParameters: iceParameters as unknown as types.IceParameters });
        }),
    );
  }

  close(): void {
    this.#send.close();
    this.#receive.close();
    this.#producers.clear();
    this.#consumers.clear();
    this.#creating.clear();
  }

  /**
   * Limits the encodings rather than pausing the track: pausing would black out the user's own picture and notify the
   * others.
   */
  #applyLayers(producer: types.Producer): void {
    // Changes run one after another, because a producer ignores a number equal to the one before a change in progress.
    this.#applied = this.#applied.then(async () => {
      const layers = this.#layers.get(producer.id);
      if (layers === undefined || producer.closed) return;
      // The transport queues the change with its other operations. A producer closed meanwhile needs none.
      await producer.setMaxSpatialLayer(layers - 1).catch(() => undefined);
    });
  }

  #wire(transport: types.Transport): void {
    transport.on('connect', ({ dtlsParameters }, done, failed) => {
      if (this.#isKnown) done();
      else void answer(this.#host.connect(transport.id, dtlsParameters as unknown as MediasoupData), done, failed);
    });
    transport.on('connectionstatechange', () => {
      const states = [this.#send, this.#receive].map(({ connectionState }) => connectionState);
      if (states.includes('closed')) return;
      // An unused direction reveals nothing about the other.
      const used = states.filter((state) => state !== 'new') as LinkState[];
      const worst = used.toSorted((a, b) => badness.indexOf(b) - badness.indexOf(a))[0] ?? 'new';
      if (worst === this.#state) return;
      this.#state = worst;
      this.#host.changed(worst);
    });
  }
}
