import type { ClientEventName, JoinMeetingResult, MediaQuality, Participant } from '@nolo/api';
import { isCallId, findNextMeetingHost, normalizeRoomCode, type MediaSource, type MeetingReaction } from '@nolo/rules';
import { withJoinResponse, withRoomEnd, withWaiting } from './roomChanges.ts';
import { toConnectionQuality, type RoomEndReason, type RoomStore, type HostIntervention } from './roomState.ts';
import type { Timers } from '../ports.ts';
import { SocketError, type SocketConnection } from '../socket/socketRequests.ts';
import type { PreJoinTransports } from './PreJoinTransports.ts';
import { MediaNodeConnection } from './MediaNodeConnection.ts';
import { errorCodeOf, OwnMediaControls, type RoomMediaProblem } from './OwnMediaControls.ts';
import {
  toTransportParameters,
  type SendRequest,
  type DeviceSource,
  type MediaDevice,
  type OwnDevices,
  type MediaProblemKind,
} from './ports.ts';
import { subscribeToRoomFrames } from './roomFrames.ts';
import { createTileVisibilityReporter, type TileVisibilityReporter } from './tileVisibilityReporter.ts';

export interface RoomClientOptions {
  /** Room code or call id, as in the address. */
  roomCode: string;
  inviteToken?: string;
  socket: SocketConnection;
  store: RoomStore;
  timers: Timers;
  own: OwnDevices;
  /** Transports prepared on the pre-join page. */
  preparedTransports?: PreJoinTransports;
  /**
   * Returns the platform's media, such as mediasoup-client with the capabilities of the media nodes. Rejects with
   * `media_unavailable` while no node is available.
   */
  device(): Promise<MediaDevice>;
  /** `kind` is the reason why a device could not be opened. */
  onProblem(problem: RoomMediaProblem, kind?: MediaProblemKind): void;
  /** Called when a host requests something or did something to the user. */
  onHostRequest(what: HostIntervention): void;
  /** Called with the participant id to continue as after a restart, or null once the room is left. */
  onPlace?(participantId: string | null): void;
}

const overReasons: Readonly<Record<string, RoomEndReason>> = {
  meeting_not_found: 'not_found',
  call_not_found: 'not_found',
  meeting_over: 'over',
  call_over: 'over',
  meeting_locked: 'locked',
  room_full: 'full',
  too_many_devices: 'devices',
  removed: 'removed',
  sign_in_required: 'sign_in',
};
/** Returns true for temporary errors of the connection. ApiError and SocketError provide the flag. */
function isPassing(error: unknown): boolean {
  return (error as { passing?: unknown } | null)?.passing === true;
}

/** Milliseconds. A faster response needs no joining indicator. */
const unsaidMs = 150;
/** Maximum milliseconds that rendering a room waits for its media. */
const undrawnMs = 100;
const preparingMs = 2_000;
/** Milliseconds between reports of the connection's state. */
export const beatMs = 5_000;
/** Timeout in milliseconds. A large room takes time on a slow machine. */
const enterTimeoutMs = 20_000;

/** Client of a room: joins, stays in despite failures, and leaves. The store holds the room's state. */
export class RoomClient {
  readonly roomCode: string;
  readonly view: TileVisibilityReporter;
  readonly store: RoomStore;
  /** Codes by which frames may name the room, because its code may change meanwhile. */
  readonly codes: Set<string>;
  readonly #options: RoomClientOptions;
  readonly #switches: OwnMediaControls;
  readonly #ends: (() => void)[];
  #plane: MediaNodeConnection | undefined;
  #participantId = '';
  /**
   * Identifies the join attempt. If the response is lost, the same place is requested again, instead of leaving a stale
   * participant behind.
   */
  readonly #attemptId: string;
  #entering = false;
  #closed = false;
  /** Shows the joined room immediately if it still waits for its media. */
  #show = () => {};
  #cancelWord = () => {};
  #cancelRetry = () => {};
  #cancelBeat = () => {};

  constructor(options: RoomClientOptions) {
    const { socket, own, store, timers, onProblem } = options;
    this.#options = options;
    this.#attemptId = options.preparedTransports?.attemptId ?? crypto.randomUUID();
    this.store = store;
    this.roomCode = isCallId(options.roomCode) ? options.roomCode : normalizeRoomCode(options.roomCode);
    this.codes = new Set([this.roomCode]);
    this.view = createTileVisibilityReporter({
      timers,
      send: (tiles) => {
        // The next view, or rejoining, sends it again.
        if (this.#plane) this.request('media_view', { tiles }).catch(() => undefined);
      },
    });
    this.#switches = new OwnMediaControls({ store, own, request: this.request, plane: () => this.#plane, onProblem });
    this.#ends = [
      subscribeToRoomFrames(this, options),
      socket.onChange((open) => this.#socketChanged(open)),
      own.onTrack((source, track, problem) => this.#switches.deviceChanged(source, track, problem)),
      // Reloading the page right after closing the camera must not reopen it.
      store.subscribe((now, before) => {
        const switched = now.microphone !== before.microphone || now.camera !== before.camera;
        if (switched && now.phase.name === 'joined') options.onPlace?.(this.#participantId);
      }),
    ];
  }

  /** True while the request to join is pending. */
  get isOnTheWay(): boolean {
    return !this.#closed && this.store.getState().phase.name === 'outside';
  }

  get participantId(): string {
    return this.#participantId;
  }

  get plane(): MediaNodeConnection | undefined {
    return this.#plane;
  }

  /** Sends a request as this participant. */
  readonly request: SendRequest = (type, data) => {
    const named = { ...data, roomCode: this.roomCode, participantId: this.#participantId };
    // Ask's type is that of the event without the two fields added here.
    return this.#options.socket.request(type as ClientEventName, named as never);
  };

  /** Joins the room or its lobby. Retries temporary errors. */
  join(joinOptions: { microphone: boolean; camera: boolean; participantId?: string }): Promise<void> {
    const { microphone, camera, participantId } = joinOptions;
    this.#participantId = participantId ?? '';
    this.#switches.begin({ microphone, camera });
    const { timers } = this.#options;
    // Rendering takes page time that the response needs, so the joining indicator appears only after a delay.
    this.#cancelWord = timers.after(unsaidMs, () => {
      if (this.isOnTheWay) this.store.setState({ phase: { name: 'joining' } });
    });
    return this.enter();
  }

  /** Requests to join again, after a disconnect or because a host admitted the user. */
  async enter(): Promise<void> {
    if (this.#entering || this.#closed) return;
    this.#entering = true;
    this.#cancelRetry();
    try {
      const device = await this.#options.device();
      this.#plane?.hold();
      const { microphone, camera } = this.store.getState();
      const { inviteToken, socket, preparedTransports } = this.#options;
      const claimed = preparedTransports?.claim();
      const joinOptions = {
        roomCode: this.roomCode,
        ...(inviteToken && { inviteToken }),
        ...(this.#participantId ? { participantId: this.#participantId } : { attemptId: this.#attemptId }),
        ...(claimed && { attemptId: this.#attemptId, ...claimed }),
        ...toTransportParameters(device),
        audio: microphone,
        video: camera,
      };
      const entry = await socket.request<'join_meeting', JoinMeetingResult>(
        'join_meeting',
        joinOptions,
        enterTimeoutMs,
      );
      this.#entering = false;
      if (this.#closed) this.#sendLeave(entry.participant.id);
      else await this.#entered(entry, device);
    } catch (error) {
      this.#entering = false;
      if (!this.#closed) this.#notEntered(error);
    }
  }

  set(source: DeviceSource, on: boolean): Promise<void> {
    return this.#switches.set(source, on);
  }

  share(on: boolean): Promise<void> {
    return this.#switches.share(on);
  }

  async setHand(raised: boolean): Promise<void> {
    await this.request('meeting_hand_toggle', { raised }).catch(() => undefined);
  }

  react(reaction: MeetingReaction): void {
    // Reactions are short-lived, so a lost one does not matter.
    this.request('meeting_reaction', { reaction }).catch(() => undefined);
  }

  networkChanged(): void {
    this.#plane?.networkChanged();
  }

  /** Restarts the search for a path to the media node. */
  async findPath(): Promise<void> {
    await this.#plane?.findPath();
  }

  /** Applies a host's action, which the server has already applied. */
  async obey(what: HostIntervention): Promise<void> {
    if (what !== 'unmute') await this.#switches.set(what === 'muted' ? 'microphone' : 'camera', false, false);
    this.#options.onHostRequest(what);
  }

  /** Leaves the room. `others` are the participants that a host leaves behind. */
  leave(others: readonly Participant[] = []): void {
    if (this.#closed) return;
    if (this.#participantId !== '') this.#sendLeave(this.#participantId);
    if (others.length === 0) this.over('left');
    else this.over('handed_on', undefined, findNextMeetingHost(others)?.name);
  }

  /** Ends the session here. The server notifies the others. */
  over(reason: RoomEndReason, message?: string, nextHostName?: string): void {
    if (this.#closed) return;
    this.close();
    this.#options.onPlace?.(null);
    this.store.setState(withRoomEnd(reason, message, nextHostName), true);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelWord();
    this.#cancelRetry();
    this.#cancelBeat();
    for (const end of this.#ends) end();
    this.#switches.close();
    this.#options.preparedTransports?.close();
    this.#plane?.close();
    this.view.stop();
  }

  async #entered(entry: JoinMeetingResult, device: MediaDevice): Promise<void> {
    const { participant, state, media, meeting } = entry;
    this.#participantId = participant.id;
    this.#options.onPlace?.(participant.id);
    if (meeting) this.codes.add(meeting.roomCode);
    const { timers, preparedTransports } = this.#options;
    const warm = media ? preparedTransports?.take(media) : undefined;
    if (state === 'waiting') {
      preparedTransports?.close();
      this.store.setState(withWaiting(entry));
      return;
    }
    const begun = () => this.view.resend();
    const unsent = (source: MediaSource) => this.#switches.unsent(source);
    const first = this.#plane === undefined;
    const plane = (this.#plane ??= new MediaNodeConnection({
      request: this.request,
      store: this.store,
      timers,
      device,
      begun,
      unsent,
    }));
    if (!first || !media) this.#inside(entry, first);
    else this.#showSoon(() => this.#inside(entry, first));
    if (media) await plane.use(media, warm, () => this.#show());
  }

  /**
   * Delays rendering the room briefly, because it blocks the page from setting up media, which a first picture waits
   * for.
   */
  #showSoon(inside: () => void): void {
    this.#cancelWord();
    const cancel = this.#options.timers.after(undrawnMs, () => this.#show());
    this.#show = () => {
      this.#show = () => {};
      cancel();
      if (!this.#closed) inside();
    };
  }

  #inside(entry: JoinMeetingResult, first: boolean): void {
    this.store.setState(withJoinResponse(this.store.getState(), entry, this.#options.timers.now()));
    this.#switches.adopt(entry.participant);
    // Usually opened on the pre-join page, so this takes no time. Otherwise, the user is inside meanwhile.
    for (const source of ['microphone', 'camera'] as const) {
      if (first && this.store.getState()[source]) void this.set(source, true);
    }
    this.#switches.sendDifferences();
    this.#beat();
  }

  #notEntered(error: unknown): void {
    const code = errorCodeOf(error);
    const wait = (error instanceof SocketError && error.retryAfterMs) || preparingMs;
    if (code === 'participant_unknown') {
      // The lease expired: request a new place in the same room.
      this.#participantId = '';
      this.#retryAfter(0);
    } else if (code === 'media_unavailable') {
      const inside = this.store.getState().phase.name === 'joined';
      this.store.setState(inside ? { reconnecting: true } : { phase: { name: 'preparing' } });
      this.#retryAfter(wait);
    } else if (isPassing(error) && (code !== 'rate_limited' || this.#participantId !== '')) {
      this.store.setState({ ...(this.isOnTheWay && { phase: { name: 'joining' } }), reconnecting: true });
      // A lost connection reports when it is back.
      if (this.#options.socket.isOpen) this.#retryAfter(wait);
    } else {
      // The server may nevertheless have this participant in the room or lobby, and would keep them while the
      // connection is open.
      if (this.#participantId !== '') this.#sendLeave(this.#participantId);
      this.over(overReasons[code] ?? 'failed', error instanceof SocketError ? error.message : undefined);
    }
  }

  #retryAfter(ms: number): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#options.timers.after(ms, () => void this.enter());
  }

  #socketChanged(open: boolean): void {
    this.#show();
    const { name } = this.store.getState().phase;
    if (name === 'outside' || name === 'over') return;
    if (open) return void this.enter();
    this.#plane?.handleSocketLost();
    this.store.setState({ reconnecting: true });
  }

  #sendLeave(participantId: string): void {
    this.#options.socket.send('leave_meeting', { roomCode: this.roomCode, participantId });
  }

  /** Reports the connection state, and receives its quality. */
  #beat(): void {
    this.#cancelBeat();
    this.#cancelBeat = this.#options.timers.after(beatMs, () => {
      this.#beat();
      if (!this.#options.socket.isOpen || !this.#plane) return;
      this.#options.onPlace?.(this.#participantId);
      this.request('sfu_connection_update', { state: this.#plane.state }).then(
        (measured) => this.store.setState({ quality: toConnectionQuality(measured as unknown as MediaQuality) }),
        (error: unknown) => {
          if (errorCodeOf(error) === 'participant_unknown') void this.enter();
        },
      );
    });
  }
}
