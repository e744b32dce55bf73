import { eventually, TestSocket } from '@nolo/testing';
import type { types } from 'mediasoup';
import { buildRouterRtpCapabilities } from '../../../services/media-sfu/src/media/codecs.ts';
import { socketBuffers } from '../../../services/media-sfu/src/media/socketBuffers.ts';

/** Consumer as the room announces it. */
interface ConsumerInfo {
  id: string;
  participantId: string;
  source: string;
  kind: types.MediaKind;
  rtpParameters: types.RtpParameters;
}

interface TransportInfo {
  id: string;
  iceCandidates: { ip: string; port: number }[];
  dtlsParameters: { srtpParameters: types.SrtpParameters };
}

export interface ReceivedPackets {
  packets: number;
  lost: number;
  repaired: number;
}

type Connect = (transport: {
  transportId: string;
  ip: string;
  port: number;
  srtpParameters: types.SrtpParameters;
}) => Promise<unknown>;

/** Long timeouts, because a node prepares a stream from everyone, and a full machine delays that. */
const timeouts = { timeoutMs: 60_000, forMs: 120_000 };
/** Longest possible timer, for what may never arrive. */
const untilTheEndMs = 0x7f_ff_ff_ff;

/**
 * Participant without a browser. Signaling goes through the gateway like a browser's. A mediasoup router of the
 * synthetic participants sends and receives the media over SRTP on loopback. It reports loss, requests missing packets,
 * and answers bandwidth estimation as browsers do.
 */
export class SyntheticPeer {
  readonly participantId: string;
  readonly #socket: TestSocket;
  readonly #roomCode: string;
  readonly #out: types.PipeTransport;
  readonly #in: types.PipeTransport;
  readonly #first: readonly ConsumerInfo[];
  readonly #taken: types.Producer[] = [];

  private constructor(options: {
    participantId: string;
    socket: TestSocket;
    roomCode: string;
    out: types.PipeTransport;
    in: types.PipeTransport;
    first: readonly ConsumerInfo[];
  }) {
    this.participantId = options.participantId;
    this.#socket = options.socket;
    this.#roomCode = options.roomCode;
    this.#out = options.out;
    this.#in = options.in;
    this.#first = options.first;
  }

  static async join(options: {
    url: string;
    token: string;
    roomCode: string;
    router: types.Router;
    connect: Connect;
  }): Promise<SyntheticPeer> {
    const { url, token, roomCode, router, connect } = options;
    const socket = await TestSocket.open(url, token);
    const joinRequest = { roomCode, rtpCapabilities: buildRouterRtpCapabilities(), audio: true, video: true };
    const { participant, media } = (await socket.insist('join_meeting', joinRequest, timeouts)) as unknown as {
      participant: { id: string };
      media: { sendTransport: TransportInfo; receiveTransport: TransportInfo; consumers: ConsumerInfo[] };
    };
    const reach = async (transportInfo: TransportInfo) => {
      const transport = await router.createPipeTransport({
        listenInfo: { protocol: 'udp', ip: '127.0.0.1', ...socketBuffers },
        enableRtx: true,
        enableSrtp: true,
      });
      const [candidate] = transportInfo.iceCandidates;
      const { localAddress: ip, localPort: port } = transport.tuple;
      if (!candidate || !transport.srtpParameters)
        throw new Error('A transport has no ICE candidate or SRTP parameters.');
      await connect({ transportId: transportInfo.id, ip, port, srtpParameters: transport.srtpParameters });
      const { ip: theirs, port: theirPort } = candidate;
      await transport.connect({
        ip: theirs,
        port: theirPort,
        srtpParameters: transportInfo.dtlsParameters.srtpParameters,
      });
      return transport;
    };
    const [out, into] = [await reach(media.sendTransport), await reach(media.receiveTransport)];
    return new SyntheticPeer({
      participantId: participant.id,
      socket,
      roomCode,
      out,
      in: into,
      first: media.consumers,
    });
  }

  /** Sends what others of the router play: as many layers of a camera as are requested, and a voice unless muted. */
  async send(camera: readonly string[], voice: string | undefined): Promise<void> {
    const layers: types.Consumer[] = [];
    for (const producerId of camera) layers.push(await this.#out.consume({ producerId }));
    const [lowest] = layers;
    if (!lowest) throw new Error('A camera must have layers.');
    void this.#followAsked(layers);
    await this.#produce('video', 'camera', {
      ...lowest.rtpParameters,
      encodings: layers.flatMap(({ rtpParameters }) => rtpParameters.encodings ?? []),
    });
    if (voice === undefined) return;
    const { rtpParameters } = await this.#out.consume({ producerId: voice });
    await this.#produce('audio', 'microphone', rtpParameters);
  }

  /** Returns the consumers that the room has offered so far. */
  offered(): ConsumerInfo[] {
    const later = this.#socket.frames
      .filter(({ type }) => type === 'media_consumer_added')
      .map(({ data }) => data['consumer'] as unknown as ConsumerInfo);
    return [...this.#first, ...later];
  }

  /** Consumes these voices and these cameras, in tiles of this height, and counts what arrives. */
  async viewTiles(cameras: ReadonlySet<string>, voices: ReadonlySet<string>, height: number): Promise<void> {
    const tiles = [...cameras].map((participantId) => ({ participantId, source: 'camera', height, priority: 9 }));
    await this.#ask('media_view', { tiles });
    const wanted = () =>
      this.offered().filter(({ kind, participantId }) => (kind === 'video' ? cameras : voices).has(participantId));
    const count = cameras.size + [...voices].filter((voice) => voice !== this.participantId).length;
    await eventually(() => wanted().length >= count, { timeoutMs: timeouts.forMs });
    for (const { kind, rtpParameters } of wanted()) this.#taken.push(await this.#in.produce({ kind, rtpParameters }));
    await this.#ask('media_resume_consumers', { consumerIds: this.offered().map(({ id }) => id) }).catch(
      (error: unknown) => {
        // The others continue if a sender has closed its stream meanwhile.
        if (!String(error).includes('media_not_found')) throw error;
      },
    );
  }

  async received(kind: types.MediaKind): Promise<ReceivedPackets> {
    const sum: ReceivedPackets = { packets: 0, lost: 0, repaired: 0 };
    const taken = this.#taken.filter((one) => one.kind === kind);
    // All at once: a worker busy with media answers each request late, whatever it is.
    const stats = await Promise.all(taken.map(async (producer) => await producer.getStats()));
    for (const { packetCount, packetsLost, packetsRepaired } of stats.flat()) {
      sum.packets += packetCount;
      sum.lost += packetsLost;
      sum.repaired += packetsRepaired;
    }
    return sum;
  }

  leave(): void {
    this.#socket.cut();
  }

  /** Sends no layer that nobody watches, like a browser. */
  async #followAsked(layers: readonly types.Consumer[]): Promise<void> {
    for (;;) {
      const { data } = await this.#socket.next('media_layers', () => true, untilTheEndMs);
      for (const [index, layer] of layers.entries()) {
        if (layer.closed) return;
        await (index < Number(data['layers']) ? layer.resume() : layer.pause());
      }
    }
  }

  async #produce(kind: types.MediaKind, source: string, rtpParameters: types.RtpParameters): Promise<void> {
    await this.#ask('media_produce', { kind, source, rtpParameters, paused: false });
  }

  async #ask(type: string, data: Record<string, unknown>): Promise<void> {
    const { participantId } = this;
    await this.#socket.insist(type, { ...data, roomCode: this.#roomCode, participantId }, timeouts);
  }
}
