import type { Call } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { otherParticipant, type LiveCall } from '../model/callPhase.ts';
import { maxQualitySamples, withSample } from '../model/callQuality.ts';
import type { CallEngine } from '../model/callEngine.ts';
import { createRoomStore, initialRoomState, trackKey, type RoomStore } from '@nolo/client/rooms/roomState';
import type { Timers } from '@nolo/client/ports';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';
import { initialMediaState, nothingSent, type CallMediaState } from './callMediaState.ts';
import { DirectCall, type CallSignal } from './DirectCall.ts';
import {
  MediaProblem,
  type DeviceSource,
  type MediaDevice,
  type OwnDevices,
  type MediaProblemKind,
} from '@nolo/client/rooms/ports';
import type { MediaFrameTransforms } from '../../meetings/room/media/frames/mediaFrameTransforms.ts';
import { RoomClient } from '@nolo/client/rooms/RoomClient';
import { CallQualitySampler } from './CallQualitySampler.ts';
import { findPeer, toCallState } from './roomCallState.ts';
import { SignalQueue } from './SignalQueue.ts';

export type CallProblem = { source: DeviceSource | 'screen'; kind: MediaProblemKind };

export interface CallMediaOptions {
  selfId: string;
  engine: Pick<CallEngine, 'deviceId' | 'flowing' | 'toRoom' | 'lost'>;
  socket: SocketConnection;
  timers: Timers;
  own: OwnDevices;
  newId: () => string;
  createPeer: (configuration: RTCConfiguration) => RTCPeerConnection;
  frames: MediaFrameTransforms;
  iceServers: () => Promise<RTCIceServer[]>;
  device: () => Promise<MediaDevice>;
  onProblem: (problem: CallProblem) => void;
  /** Reports when the plan ends the call; null once it has. */
  onTime: (endsAt: string | null) => void;
}

/** Milliseconds to wait alone in a room, because the other may still be switching from the direct path. */
const aloneMs = 25_000;
/** Milliseconds without any path after which that is shown (decision 44: at most 10 s), while the search continues. */
export const noCallPathNoticeMs = 9_000;

/** Audio and video of one call, from the first ring to the end, on either path. */
export class CallMedia {
  readonly store = createStore<CallMediaState>(() => initialMediaState);
  readonly #options: CallMediaOptions;
  readonly #roomStore: RoomStore = createRoomStore();
  readonly #signals: SignalQueue;
  readonly #quality: CallQualitySampler;
  #call: Call | null = null;
  #begun = false;
  #direct: DirectCall | null = null;
  #directAsked = false;
  /** True once someone has answered, possibly before this started. */
  #isAnswered = false;
  #room: RoomClient | null = null;
  #movingToRoom = false;
  #warnedEndsAt: string | null = null;
  /** Signals that arrived before anything could handle them. */
  #early: unknown[] = [];
  #screen: MediaStreamTrack[] = [];
  #cancelAlone: (() => void) | null = null;
  /** True if neither path has led to the other side for so long that this is shown. */
  #pathless = false;
  #cancelSearch: (() => void) | null = null;
  readonly #ends: (() => void)[];
  #closed = false;

  constructor(options: CallMediaOptions) {
    this.#options = options;
    const { socket, own, engine } = options;
    this.#signals = new SignalQueue(socket, (signal) => {
      const call = this.#call;
      const target = call && otherParticipant(call, options.selfId);
      if (!call || !target) return null;
      const signalData = signal as unknown as Record<string, unknown>;
      return { callId: call.id, targetUserId: target.userId, deviceId: engine.deviceId, signalData };
    });
    this.#quality = new CallQualitySampler({
      timers: options.timers,
      isOpen: () => socket.isOpen,
      way: () => ({ direct: this.#direct, room: this.#room }),
      onSample: (sample) =>
        this.#patch({ samples: withSample(this.store.getState().samples, sample).slice(-maxQualitySamples) }),
    });
    this.#ends = [
      socket.subscribe('webrtc_signal', ({ callId, targetDeviceId, signalData }) => {
        if (callId !== this.#call?.id) return;
        // Meant for another device of this user.
        if (targetDeviceId !== null && targetDeviceId !== engine.deviceId) return;
        if (this.#direct) this.#direct.receive(signalData);
        else this.#early.push(signalData);
      }),
      own.onTrack((source, track, problem) => this.#deviceChanged(source, track, problem)),
      this.#roomStore.subscribe(() => this.#mirrorRoom()),
    ];
  }

  /** Follows this tab's call. */
  follow(live: LiveCall): void {
    if (this.#closed || live.phase === 'ended') return;
    this.#call = live.call;
    const isRinging = live.phase === 'incoming';
    if (!this.#begun && (!isRinging || live.answering)) {
      this.#begun = true;
      // Permissions are not awaited: a user without permission or device joins without sending.
      void this.set('microphone', true);
      if (live.withCamera) void this.set('camera', true);
      this.#quality.start();
    }
    if (!live.call) return;
    const isAnswered = live.phase === 'connecting' || live.phase === 'connected';
    if (live.call.mode === 'room') {
      // The caller waits inside.
      if (!isRinging) this.#enterRoom(live.call);
    } else if (!this.#room) {
      this.#goDirect(live.call);
      if (isAnswered) this.#goOn();
    }
  }

  /** Returns the answer to a ringing direct call, if it is known by now. */
  answer(): Record<string, unknown> | null {
    return (this.#direct?.answer() ?? null) as Record<string, unknown> | null;
  }

  /** Turns the user's microphone or camera on or off. */
  async set(source: DeviceSource, on: boolean): Promise<void> {
    if (this.#room) return this.#room.set(source, on);
    this.#patch({ [source]: on });
    if (!on) {
      this.#own(source, null);
      await this.#direct?.setTrack(source, null);
      if (source === 'camera') this.#options.own.close('camera');
      return this.#sendMediaState();
    }
    try {
      const track = await this.#options.own.open(source);
      if (this.#closed || !this.store.getState()[source]) return;
      this.#own(source, track);
      await this.#direct?.setTrack(source, track);
    } catch (error) {
      const kind = error instanceof MediaProblem ? error.kind : 'failed';
      // If it was closed while opening, the newer request wins.
      if (this.#closed || kind === 'dismissed') return;
      this.#patch({ [source]: false });
      // The camera or microphone is off now, and later recovery must not reopen it.
      this.#options.own.close(source);
      this.#options.onProblem({ source, kind });
    }
    this.#sendMediaState();
  }

  async share(on: boolean): Promise<void> {
    if (this.#room) return this.#room.share(on);
    if (!on) return this.#stopScreen();
    if (this.store.getState().sharing) return;
    try {
      const { video, audio } = await this.#options.own.shareScreen();
      this.#screen = audio ? [video, audio] : [video];
      // The browser's own button also stops sharing.
      video.addEventListener('ended', () => void this.share(false));
      this.#patch({ sharing: true });
      this.#own('screen', video);
      await Promise.all([this.#direct?.setTrack('screen', video), this.#direct?.setTrack('screen_audio', audio)]);
      this.#sendMediaState();
    } catch (error) {
      // Closing the browser's prompt counts as an answer.
      const kind = error instanceof MediaProblem ? error.kind : 'failed';
      if (kind !== 'dismissed') this.#options.onProblem({ source: 'screen', kind });
    }
  }

  networkChanged(): void {
    this.#direct?.networkChanged();
    this.#room?.networkChanged();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const end of this.#ends) end();
    this.#quality.close();
    this.#cancelAlone?.();
    this.#cancelSearch?.();
    this.#signals.close();
    this.#direct?.close();
    this.#room?.leave();
    for (const track of this.#screen) track.stop();
  }

  #patch(change: Partial<CallMediaState>): void {
    this.store.setState(change);
  }

  #own(source: MediaSource, track: MediaStreamTrack | null): void {
    const { [source]: _before, ...others } = this.store.getState().own;
    this.#patch({ own: track ? { ...others, [source]: track } : others });
  }

  #sendMediaState(): void {
    const { microphone, camera, sharing } = this.store.getState();
    this.#direct?.setSending({ microphone, camera, screen: sharing });
  }

  async #stopScreen(): Promise<void> {
    for (const track of this.#screen) track.stop();
    this.#screen = [];
    this.#patch({ sharing: false });
    this.#own('screen', null);
    await Promise.all([this.#direct?.setTrack('screen', null), this.#direct?.setTrack('screen_audio', null)]);
    this.#sendMediaState();
  }

  #deviceChanged(source: DeviceSource, track: MediaStreamTrack | null, problem: MediaProblemKind = 'missing'): void {
    if (this.#room || !this.store.getState()[source]) return;
    if (!track) {
      this.#options.onProblem({ source, kind: problem });
      void this.set(source, false);
      return;
    }
    this.#own(source, track);
    void this.#direct?.setTrack(source, track);
  }

  #goDirect(call: Call): void {
    if (this.#directAsked) return;
    this.#directAsked = true;
    const { iceServers, timers, createPeer, frames, newId, socket, selfId, engine } = this.#options;
    void iceServers()
      // A path may be found without ICE servers, and otherwise the room is used.
      .catch(() => [])
      .then((servers) => {
        if (this.#closed || this.#room) return;
        const direct = new DirectCall({
          instance: newId(),
          polite: call.callerId !== selfId,
          ringing: !this.#isAnswered,
          iceServers: servers,
          timers,
          createPeer,
          frames,
          sendSignal: (signal: CallSignal) => this.#signals.send(signal),
          isSignalling: () => socket.isOpen,
          onState: (state) => {
            if (state === 'failed') return void this.#moveToRoom();
            if (state === 'connected') this.#foundPath();
            this.#patch({ link: this.#pathless ? 'noPath' : state });
            if (state === 'connected') engine.flowing();
          },
          onTracks: (theirs) => this.#patch({ theirs }),
          onSending: (peer) => this.#patch({ peer }),
        });
        this.#direct = direct;
        const { own } = this.store.getState();
        for (const [source, track] of Object.entries(own)) void direct.setTrack(source as MediaSource, track);
        this.#sendMediaState();
        direct.start();
        for (const signal of this.#early.splice(0)) direct.receive(signal);
      });
  }

  /** Starts the search for a path, now that the call is answered. */
  #goOn(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#patch({ link: 'connecting', path: 'direct' });
    this.#cancelSearch = this.#options.timers.after(noCallPathNoticeMs, () => {
      this.#pathless = true;
      this.#patch({ link: 'noPath' });
    });
    this.#direct?.accept();
  }

  /**
   * Switches to the server's relay, because there is no direct path. The confirmation arrives as a change of the call.
   */
  async #moveToRoom(): Promise<void> {
    if (this.#movingToRoom) return;
    this.#movingToRoom = true;
    this.#patch({ link: this.#pathless ? 'noPath' : 'reconnecting' });
    const moved = await this.#options.engine.toRoom();
    this.#movingToRoom = false;
    if (!moved && !this.#room && !this.#closed) this.#options.engine.lost('failed');
  }

  #enterRoom(call: Call): void {
    if (this.#room) return;
    this.#direct?.close();
    this.#direct = null;
    this.#signals.close();
    const { microphone, camera } = this.store.getState();
    // The owner has to share the screen again: browsers ask only after a press.
    for (const track of this.#screen) track.stop();
    this.#screen = [];
    const link = this.#pathless ? 'noPath' : 'connecting';
    this.#patch({ path: 'room', link, theirs: {}, peer: nothingSent, sharing: false });
    const { socket, timers, own, device, onProblem } = this.#options;
    // A message that is already shown stays until the room has a path.
    this.#cancelSearch?.();
    this.#roomStore.setState({ ...initialRoomState, noPath: this.#pathless }, true);
    const room = new RoomClient({
      roomCode: call.id,
      socket,
      store: this.#roomStore,
      timers,
      own,
      device,
      onProblem: (problem, kind = 'failed') => {
        if (problem === 'microphone' || problem === 'camera') onProblem({ source: problem, kind });
        else if (problem === 'screen' || problem === 'screenRefused') onProblem({ source: 'screen', kind: 'failed' });
      },
      onHostRequest: () => {},
    });
    this.#room = room;
    this.#patch({ room });
    this.#expectSomebody();
    void room.join({ microphone, camera });
  }

  #foundPath(): void {
    this.#cancelSearch?.();
    this.#pathless = false;
  }

  /** Mirrors the room's state as a call of two shows it. */
  #mirrorRoom(): void {
    const room = this.#room;
    if (!room || this.#closed) return;
    const state = this.#roomStore.getState();
    const { phase } = state;
    if (phase.name === 'over') {
      const isTimeOver = phase.reason === 'time_limit';
      if (isTimeOver) this.#options.onTime(null);
      const isNormalEnd = isTimeOver || phase.reason === 'ended';
      if (phase.reason !== 'left') this.#options.engine.lost(isNormalEnd ? 'disconnected' : 'failed');
      return;
    }
    if (state.warnedEndsAt !== this.#warnedEndsAt) {
      this.#warnedEndsAt = state.warnedEndsAt;
      if (state.warnedEndsAt !== null) this.#options.onTime(state.warnedEndsAt);
    }
    const peer = findPeer(state);
    const joined = phase.name === 'joined';
    if (joined && !state.noPath) this.#foundPath();
    const shown = toCallState(state, peer);
    this.#patch({ ...shown, link: this.#pathless && shown.link === 'connecting' ? 'noPath' : shown.link });
    if (joined && peer) {
      this.#cancelAlone?.();
      this.#cancelAlone = null;
      this.#options.engine.flowing();
      this.#showPeerVideos(room, peer.id);
    } else if (joined) {
      this.#expectSomebody();
    }
  }

  /** A call of two shows everything; a larger grid reports what is visible. */
  #showPeerVideos(room: RoomClient, peerId: string): void {
    if (Object.keys(this.#roomStore.getState().participants).length > 2) return;
    for (const source of ['camera', 'screen'] as const) {
      room.view.show(trackKey(peerId, source), { participantId: peerId, source, height: 720, priority: 200 });
    }
  }

  #expectSomebody(): void {
    this.#cancelAlone ??= this.#options.timers.after(aloneMs, () => {
      this.#cancelAlone = null;
      const ringing = this.#call?.participants.some(({ state }) => state === 'ringing') === true;
      // Waits while someone is being rung or the user is disconnected: nobody is missing yet.
      if (ringing || !this.#options.socket.isOpen || this.#roomStore.getState().phase.name !== 'joined') {
        this.#expectSomebody();
      } else {
        this.#options.engine.lost();
      }
    });
  }
}
