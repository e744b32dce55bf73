import type { types } from 'mediasoup';
import { mediaInvalid } from '../errors.ts';
import { refusalOf } from './refusal.ts';

/** `away`: was connected, and may come back; `lost`: has been away for too long. */
export type ConnectionState = 'new' | 'connected' | 'away' | 'lost';

export interface TransportListener {
  lostAfterMs: number;
  /** How long the client may look for its way here before it counts as one that has none. */
  pathWithinMs: number;
  changed(): void;
  /** Whether the client found its way here; told once. */
  searched(found: boolean): void;
  /** The worker died under it. */
  orphaned(): void;
}

/** What a client needs to make its side of a transport. */
export interface TransportOptions {
  id: string;
  iceParameters: types.IceParameters;
  iceCandidates: types.IceCandidate[];
  dtlsParameters: types.DtlsParameters;
}

/** One of a participant's two transports, and whether the client is still at its other end. */
export class PeerTransport {
  readonly transport: types.WebRtcTransport;
  #listener: TransportListener;
  #state: ConnectionState = 'new';
  #connected: Promise<void> | undefined;
  #fingerprints = '';
  #timer: NodeJS.Timeout | undefined;
  #search: NodeJS.Timeout | 'over' | undefined;

  constructor(transport: types.WebRtcTransport, listener: TransportListener) {
    this.transport = transport;
    this.#listener = listener;
    transport.on('icestatechange', () => this.#update());
    transport.on('dtlsstatechange', () => this.#update());
    transport.on('routerclose', () => this.#orphaned());
    transport.on('listenserverclose', () => this.#orphaned());
  }

  /** Whoever it is handed to is told from now on, of what happened already by its state. */
  handTo(listener: TransportListener): void {
    this.#listener = listener;
  }

  get id(): string {
    return this.transport.id;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get options(): TransportOptions {
    const { id, iceParameters, iceCandidates, dtlsParameters } = this.transport;
    return { id, iceParameters, iceCandidates, dtlsParameters };
  }

  /** The same again is no error: the answer may have been lost. */
  async connect(dtlsParameters: types.DtlsParameters): Promise<void> {
    const fingerprints = JSON.stringify(dtlsParameters);
    if (this.#connected && this.#fingerprints !== fingerprints) throw mediaInvalid('connected with others before');
    this.#fingerprints = fingerprints;
    this.#connected ??= this.transport.connect({ dtlsParameters });
    try {
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw refusalOf(error, this.transport, true);
    }
  }

  /** The client is on its way here from now on. One that has nothing to carry yet may have its parameters for long. */
  expect(): void {
    if (this.transport.closed || this.#state === 'connected') return;
    this.#search ??= setTimeout(() => this.#endSearch(false), this.#listener.pathWithinMs);
  }

  async restartIce(): Promise<types.IceParameters> {
    try {
      return await this.transport.restartIce();
    } catch (error) {
      throw refusalOf(error, this.transport);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#endSearch();
    this.transport.close();
  }

  #update(): void {
    const { iceState, dtlsState } = this.transport;
    if ((iceState === 'connected' || iceState === 'completed') && dtlsState === 'connected') this.#become('connected');
    else if (iceState === 'disconnected' || dtlsState === 'failed' || dtlsState === 'closed') {
      // A failed handshake is away too: the client begins anew with other transports.
      if (this.#state !== 'lost') this.#become('away');
    }
  }

  #become(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    clearTimeout(this.#timer);
    if (state === 'connected') this.#endSearch(true);
    if (state === 'away') this.#timer = setTimeout(() => this.#become('lost'), this.#listener.lostAfterMs);
    this.#listener.changed();
  }

  #endSearch(found?: boolean): void {
    if (this.#search === 'over') return;
    clearTimeout(this.#search);
    this.#search = 'over';
    if (found !== undefined) this.#listener.searched(found);
  }

  #orphaned(): void {
    clearTimeout(this.#timer);
    this.#endSearch();
    this.#listener.orphaned();
  }
}

/** Both of a participant's. */
export interface PeerTransports {
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
}

/**
 * What is sent to somebody at least, in bits a second, however little the way seems to take: the lowest layer of one
 * camera. A machine that is short of processor answers late, which looks like a narrow way, and below this nothing would be
 * sent at all, from which a better estimate could come.
 */
const leastBitrate = 150_000;

/** What is left to do once there are transports; nothing that is made on them has to wait for it. */
export async function prepareTransports(
  { send, receive }: PeerTransports,
  {
    maxIncomingBitrate,
    dtlsParameters,
  }: { maxIncomingBitrate: number; dtlsParameters?: types.DtlsParameters | undefined },
): Promise<void> {
  const limited = Promise.all([
    send.transport.setMaxIncomingBitrate(maxIncomingBitrate),
    receive.transport.setMinOutgoingBitrate(leastBitrate),
  ]).catch((error: unknown) => {
    throw refusalOf(error, send.transport);
  });
  await Promise.all([limited, ...(dtlsParameters ? [send, receive].map((one) => one.connect(dtlsParameters)) : [])]);
}
