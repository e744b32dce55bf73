import type { types } from 'mediasoup';
import { mediaInvalid } from '../errors.ts';
import { toMediaError } from './refusal.ts';

/** State of a connection. `away`: disconnected but may return; `lost`: away for too long. */
export type ConnectionState = 'new' | 'connected' | 'away' | 'lost';

export interface TransportListener {
  lostAfterMs: number;
  /** Time in which the client must find its path here before it counts as unreachable. */
  pathWithinMs: number;
  changed(): void;
  /** Reports once whether the client found its path here. */
  searched(found: boolean): void;
  /** Reports that the worker died. */
  orphaned(): void;
}

/** Parameters that a client needs for its side of a transport. */
export interface ClientTransportOptions {
  id: string;
  iceParameters: types.IceParameters;
  iceCandidates: types.IceCandidate[];
  dtlsParameters: types.DtlsParameters;
}

/** Single transport of a participant's two, with the state of its connection. */
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

  /** Hands it to another listener, which gets later changes. The current state reflects earlier ones. */
  handTo(listener: TransportListener): void {
    this.#listener = listener;
  }

  get id(): string {
    return this.transport.id;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get options(): ClientTransportOptions {
    const { id, iceParameters, iceCandidates, dtlsParameters } = this.transport;
    return { id, iceParameters, iceCandidates, dtlsParameters };
  }

  /** Connects the transport. Repeating the parameters is allowed, because the response may have been lost. */
  async connect(dtlsParameters: types.DtlsParameters): Promise<void> {
    const fingerprints = JSON.stringify(dtlsParameters);
    if (this.#connected && this.#fingerprints !== fingerprints)
      throw mediaInvalid('already connected with other DTLS parameters');
    this.#fingerprints = fingerprints;
    this.#connected ??= this.transport.connect({ dtlsParameters });
    try {
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw toMediaError(error, this.transport, true);
    }
  }

  /** Starts waiting for the client to find its path. A transport without media may have its parameters long before. */
  expect(): void {
    if (this.transport.closed || this.#state === 'connected') return;
    this.#search ??= setTimeout(() => this.#endSearch(false), this.#listener.pathWithinMs);
  }

  async restartIce(): Promise<types.IceParameters> {
    try {
      return await this.transport.restartIce();
    } catch (error) {
      throw toMediaError(error, this.transport);
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
      // A failed handshake counts as away too: the client starts over with other transports.
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

/** Transports of a participant. */
export interface PeerTransports {
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
}

/**
 * Minimum bitrate to a participant in bits per second, however slow its connection seems: the lowest layer of one
 * camera. A machine short of CPU responds late, which looks like a slow connection. Below this nothing would be sent,
 * so the estimate could never improve.
 */
const leastBitrate = 150_000;

/** Completes the setup of transports. Nothing created on them needs to wait for it. */
export async function configureTransports(
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
    throw toMediaError(error, send.transport);
  });
  await Promise.all([limited, ...(dtlsParameters ? [send, receive].map((one) => one.connect(dtlsParameters)) : [])]);
}
