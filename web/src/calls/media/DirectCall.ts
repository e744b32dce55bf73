import { mediaSources, type MediaSource } from '@nolo/rules';
import type { Timers } from '@nolo/client/ports';
import type { MediaFrameTransforms } from '../../meetings/room/media/frames/mediaFrameTransforms.ts';

/**
 * Signal that one side sends to the other through the server. `from` and `to` identify one lifetime of a side: a reload
 * starts another.
 */
export interface CallSignal {
  from: string;
  to?: string | undefined;
  hello?: true;
  description?: { type: RTCSdpType; sdp?: string | undefined };
  candidate?: RTCIceCandidateInit;
}

/** Sources that the other side sends at present. */
export interface SentMedia {
  microphone: boolean;
  camera: boolean;
  screen: boolean;
}

export type DirectState = 'connecting' | 'connected' | 'reconnecting' | 'failed';

export interface DirectCallOptions {
  /** Id of this lifetime of this side. */
  instance: string;
  /** True for the side that gives way if both offer at once: the callee. */
  polite: boolean;
  /** True until someone answers: everything is prepared, but no address leaves either side. */
  ringing: boolean;
  iceServers: RTCIceServer[];
  timers: Timers;
  createPeer: (configuration: RTCConfiguration) => RTCPeerConnection;
  frames: MediaFrameTransforms;
  sendSignal: (signal: CallSignal) => void;
  /** Returns true if signals currently get through. */
  isSignalling: () => boolean;
  onState: (state: DirectState) => void;
  onTracks: (tracks: Partial<Record<MediaSource, MediaStreamTrack>>) => void;
  onSending: (sending: SentMedia) => void;
}

const kinds: Record<MediaSource, 'audio' | 'video'> = {
  microphone: 'audio',
  camera: 'video',
  screen: 'video',
  screen_audio: 'audio',
};

/** Milliseconds after which the search for a direct path ends. */
export const connectWithinMs = 10_000;
const helloEveryMs = 1_500;
/**
 * Delays before an ICE restart, because a lost path often recovers by itself. The polite side waits longer, so that
 * only one of them restarts.
 */
const restartDelayMs = { impolite: 1_000, polite: 3_000 };

/** Removes addresses that the browser may have found already. */
function withoutAddresses(sdp: string): string {
  return sdp
    .replace(/^a=(?:candidate|end-of-candidates|rtcp:).*\r?\n/gm, '')
    .replace(/^c=IN IP[46] \S+/gm, 'c=IN IP4 0.0.0.0')
    .replace(/^m=application \d+/gm, 'm=application 9')
    .replace(/^m=(audio|video) [1-9]\d*/gm, 'm=$1 9');
}

/**
 * Media of a call between two browsers. The first offer has places for all four kinds of track, so that cameras and
 * screens are turned on and off without another offer; a data channel reports what is on.
 */
export class DirectCall {
  readonly #options: DirectCallOptions;
  readonly #tracks: Partial<Record<MediaSource, MediaStreamTrack>> = {};
  #sending: SentMedia = { microphone: false, camera: false, screen: false };
  #peer: RTCPeerConnection | null = null;
  #remote: string | null = null;
  #ringing: boolean;
  /** Offer before addresses were added to it. */
  #offered: CallSignal['description'];
  /** Signals to send once the call is answered and the other side is known. */
  #held: Omit<CallSignal, 'from' | 'to'>[] = [];
  /** Signals that arrived before the call was answered, to be handled then. */
  #early: unknown[] = [];
  #senders: Partial<Record<MediaSource, RTCRtpSender>> = {};
  #channel: RTCDataChannel | null = null;
  #makingOffer = false;
  #ignoredOffer = false;
  #steps: Promise<void> = Promise.resolve();
  #cancelHello: (() => void) | null = null;
  #cancelDeadline: (() => void) | null = null;
  #cancelMending: (() => void) | null = null;
  #state: DirectState = 'connecting';
  #closed = false;

  constructor(options: DirectCallOptions) {
    this.#options = options;
    this.#ringing = options.ringing;
  }

  get state(): DirectState {
    return this.#state;
  }

  /** Says hello until the other side responds, because it may still be starting. */
  start(): void {
    if (this.#ringing && !this.#options.polite) return this.#signal({ hello: true });
    if (!this.#ringing) this.#expectConnection();
    this.#greet();
  }

  /** Returns the answer to the offer, with the addresses known so far, to be sent together with accepting the call. */
  answer(): CallSignal | null {
    const description = this.#peer?.localDescription;
    if (!this.#ringing || this.#remote === null || description?.type !== 'answer') return null;
    // The answer contains all of them.
    this.#held = [];
    const { type, sdp } = description;
    return { from: this.#options.instance, to: this.#remote, description: { type, sdp } };
  }

  /** Handles an answered call: sends and processes everything held back. */
  accept(): void {
    if (!this.#ringing) return;
    this.#ringing = false;
    this.#expectConnection();
    for (const data of this.#early.splice(0)) this.receive(data);
    if (this.#remote !== null) this.#sendQueuedSignals();
    // The answer to the offer arrives together with the event that the call was answered.
    else if (this.#offered) this.#cancelHello = this.#options.timers.after(helloEveryMs, () => this.#greet());
    else this.#greet();
  }

  /** Handles a signal of the other side; ignores anything else. */
  receive(data: unknown): void {
    const signal = data as Partial<CallSignal> | null;
    if (this.#closed || typeof signal?.from !== 'string') return;
    const { from, to, description, candidate } = signal;
    if (to !== undefined && to !== this.#options.instance) return;
    if (this.#ringing && !this.#options.polite) return this.#receiveWhileRinging(from, signal);
    if (from !== this.#remote) {
      // A connection starts only with a hello, or with the answer to the offer made while ringing: other signals come
      // from an earlier lifetime.
      const isAnswer = this.#remote === null && description?.type === 'answer' && this.#offered !== undefined;
      if (!signal.hello && !isAnswer) return;
      const waits = this.#remote === null && this.#offered !== undefined;
      this.#remote = from;
      this.#cancelHello?.();
      if (signal.hello && to === undefined) this.#signal({ hello: true });
      if (!waits) this.#connect();
      else if (!isAnswer) this.#signal({ description: this.#offered });
      if (waits) this.#sendQueuedSignals();
    } else if (signal.hello && to === undefined) {
      // The other side has not received our hello yet, and perhaps not our answer.
      this.#signal({ hello: true });
      if (this.#peer?.localDescription?.type === 'answer') this.#describe(this.#peer);
    }
    if (description || candidate) {
      const peer = this.#peer;
      this.#steps = this.#steps.then(() => this.#take(peer, description, candidate)).catch(() => undefined);
    }
  }

  /** Replaces the track of a source; null sends nothing. */
  async setTrack(source: MediaSource, track: MediaStreamTrack | null): Promise<void> {
    if (track) this.#tracks[source] = track;
    else delete this.#tracks[source];
    await this.#senders[source]?.replaceTrack(track).catch(() => undefined);
  }

  setSending(sending: SentMedia): void {
    this.#sending = sending;
    if (this.#channel?.readyState === 'open') this.#channel.send(JSON.stringify(sending));
  }

  /** Handles a change of network. */
  networkChanged(): void {
    if (this.#peer && !this.#ringing && this.#state !== 'failed') this.#restart(this.#peer);
  }

  async stats(): Promise<Iterable<unknown>> {
    const report = (await this.#peer?.getStats()) as unknown as Map<string, unknown> | undefined;
    return report?.values() ?? [];
  }

  close(): void {
    this.#closed = true;
    this.#cancelHello?.();
    this.#cancelDeadline?.();
    this.#cancelMending?.();
    this.#peer?.close();
    this.#peer = null;
  }

  #signal(signal: Omit<CallSignal, 'from' | 'to'>, to = this.#remote): void {
    this.#options.sendSignal({ from: this.#options.instance, ...(to !== null && { to }), ...signal });
  }

  #greet(): void {
    if (this.#closed || this.#remote !== null) return;
    this.#signal({ hello: true });
    this.#cancelHello = this.#options.timers.after(helloEveryMs, () => this.#greet());
  }

  /** Handles each ringing device: all get the offer, and the one that answers continues. */
  #receiveWhileRinging(from: string, signal: Partial<CallSignal>): void {
    if (!signal.hello) return void this.#early.push(signal);
    if (signal.to === undefined) this.#signal({ hello: true }, from);
    if (!this.#peer) this.#connect();
    else if (this.#offered) this.#signal({ description: this.#offered }, from);
  }

  /** Sends signals that reveal addresses, or holds them until the call is answered. */
  #sendOrQueueSignal(signal: Omit<CallSignal, 'from' | 'to'>): void {
    if (this.#ringing || this.#remote === null) this.#held.push(signal);
    else this.#signal(signal);
  }

  #sendQueuedSignals(): void {
    for (const signal of this.#held.splice(0)) this.#signal(signal);
  }

  /** Opens a new connection to a new lifetime of the other side. */
  #connect(): void {
    const { createPeer, iceServers, polite } = this.#options;
    this.#peer?.close();
    const peer = createPeer({ iceServers, bundlePolicy: 'max-bundle' });
    this.#peer = peer;
    this.#senders = {};
    this.#channel = null;
    this.#makingOffer = false;
    this.#ignoredOffer = false;
    this.#offered = undefined;
    this.#held = [];
    if (this.#state === 'connected') this.#setState('reconnecting');
    if (!this.#ringing) this.#expectConnection();

    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate && this.#peer === peer) this.#sendOrQueueSignal({ candidate: candidate.toJSON() });
    });
    peer.addEventListener('connectionstatechange', () => {
      if (this.#peer === peer) this.#changed(peer);
    });
    peer.addEventListener('datachannel', ({ channel }) => this.#listen(channel));
    peer.addEventListener('negotiationneeded', () => {
      // The polite side waits for the first offer, which has a place for everything.
      if (!polite || peer.remoteDescription) void this.#offer(peer);
    });
    if (polite) return;
    this.#listen(peer.createDataChannel('state'));
    for (const source of mediaSources) {
      const track = this.#tracks[source];
      const transceiver = peer.addTransceiver(track ?? kinds[source], { direction: 'sendrecv' });
      this.#takePlace(source, transceiver);
    }
    this.#reportTracks(peer);
  }

  #takePlace(source: MediaSource, { sender, receiver }: RTCRtpTransceiver): void {
    this.#senders[source] = sender;
    this.#options.frames.sender(sender, kinds[source]);
    this.#options.frames.receiver(receiver);
  }

  async #offer(peer: RTCPeerConnection): Promise<void> {
    try {
      this.#makingOffer = true;
      await peer.setLocalDescription();
      if (this.#peer === peer) this.#describe(peer);
    } catch {
      // A newer offer of the other side took precedence; negotiation is triggered again.
    } finally {
      this.#makingOffer = false;
    }
  }

  #describe({ localDescription }: RTCPeerConnection): void {
    if (!localDescription) return;
    const { type, sdp } = localDescription;
    if (type === 'offer' && this.#remote === null) {
      // Sent to all ringing devices that have said hello.
      this.#offered = { type, sdp: withoutAddresses(sdp) };
      this.#signal({ description: this.#offered });
    } else if (type === 'answer') {
      this.#sendOrQueueSignal({ description: { type, sdp } });
    } else {
      this.#signal({ description: { type, sdp } });
    }
  }

  /** Implements the standard's pattern: https://www.w3.org/TR/webrtc/#perfect-negotiation-example */
  async #take(
    peer: RTCPeerConnection | null,
    description: CallSignal['description'],
    candidate: CallSignal['candidate'],
  ): Promise<void> {
    if (!peer || this.#peer !== peer) return;
    if (description) {
      const collision = description.type === 'offer' && (this.#makingOffer || peer.signalingState !== 'stable');
      this.#ignoredOffer = collision && !this.#options.polite;
      if (this.#ignoredOffer) return;
      // Sent twice, because its arrival was uncertain.
      if (description.type === 'answer' && peer.signalingState === 'stable') return;
      await peer.setRemoteDescription(description as RTCSessionDescriptionInit);
      if (this.#options.polite) this.#takePlaces(peer);
      if (description.type === 'offer') {
        await peer.setLocalDescription();
        if (this.#peer === peer) this.#describe(peer);
      }
    }
    if (!candidate) return;
    try {
      await peer.addIceCandidate(candidate);
    } catch (error) {
      if (!this.#ignoredOffer) throw error;
    }
  }

  /** Assigns the transceivers in the order of the offer, which is that of `mediaSources`. */
  #takePlaces(peer: RTCPeerConnection): void {
    for (const [index, transceiver] of peer.getTransceivers().entries()) {
      const source = mediaSources[index];
      if (source === undefined || this.#senders[source]) continue;
      transceiver.direction = 'sendrecv';
      this.#takePlace(source, transceiver);
      const track = this.#tracks[source];
      if (track) void transceiver.sender.replaceTrack(track).catch(() => undefined);
    }
    this.#reportTracks(peer);
  }

  #reportTracks(peer: RTCPeerConnection): void {
    const tracks: Partial<Record<MediaSource, MediaStreamTrack>> = {};
    for (const [index, { receiver }] of peer.getTransceivers().entries()) {
      const source = mediaSources[index];
      if (source !== undefined) tracks[source] = receiver.track;
    }
    this.#options.onTracks(tracks);
  }

  #listen(channel: RTCDataChannel): void {
    this.#channel = channel;
    channel.addEventListener('open', () => this.setSending(this.#sending));
    channel.addEventListener('message', ({ data }) => {
      if (this.#channel !== channel || typeof data !== 'string') return;
      const { microphone, camera, screen } = JSON.parse(data) as Partial<SentMedia>;
      this.#options.onSending({ microphone: microphone === true, camera: camera === true, screen: screen === true });
    });
    if (channel.readyState === 'open') this.setSending(this.#sending);
  }

  #changed(peer: RTCPeerConnection): void {
    const { connectionState } = peer;
    if (connectionState === 'connected') {
      this.#cancelDeadline?.();
      this.#cancelDeadline = null;
      this.#cancelMending?.();
      this.#setState('connected');
      return;
    }
    if (connectionState !== 'disconnected' && connectionState !== 'failed') return;
    if (this.#state === 'connected') this.#setState('reconnecting');
    this.#expectConnection();
    this.#cancelMending?.();
    if (connectionState === 'failed') return this.#restart(peer);
    const delayMs = this.#options.polite ? restartDelayMs.polite : restartDelayMs.impolite;
    this.#cancelMending = this.#options.timers.after(delayMs, () => this.#restart(peer));
  }

  #restart(peer: RTCPeerConnection): void {
    if (this.#closed || this.#peer !== peer || peer.signalingState === 'closed' || !peer.remoteDescription) return;
    peer.restartIce();
  }

  #expectConnection(): void {
    if (this.#cancelDeadline) return;
    this.#cancelDeadline = this.#options.timers.after(connectWithinMs, () => {
      this.#cancelDeadline = null;
      if (this.#closed || this.#state === 'connected') return;
      // Signaling is down, so the server connection is lost, but the path may exist.
      if (this.#options.isSignalling()) this.#setState('failed');
      else this.#expectConnection();
    });
  }

  #setState(state: DirectState): void {
    if (this.#state === state || this.#closed) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
