import type { Brand, Participant } from '@nolo/api';
import { routes } from '@nolo/api';
import { isCallId } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { ApiError, call } from '../../api/httpClient.ts';
import { serverNow } from '../../api/serverClock.ts';
import { browserTimers } from '../../api/timers.ts';
import { saveFile } from '../../device/saveFile.ts';
import { DoorSeat } from './media/DoorSeat.ts';
import { LocalDevices } from './media/LocalDevices.ts';
import { loadRoomMedia } from './media/loadRoomMedia.ts';
import { MeetingRecording, type MeetingRecordingOptions } from './media/MeetingRecording.ts';
import type { RoomProblem } from './media/OwnSwitches.ts';
import type { ProblemKind } from './media/ports.ts';
import { RoomClient, type AskedByHost } from './media/RoomClient.ts';
import { dropPlace, findEarlierId, findPlace, keepPlace } from './media/roomPlace.ts';
import { createRoomStore, outside, type OverReason } from './model/meetingRoom.ts';
import type { SocketLine } from '../../api/socketRequests.ts';

/** What is known of a meeting before one is inside. */
export interface RoomAccess {
  state: 'checking' | 'open' | 'closed';
  reason: OverReason;
  message?: string;
  /** A host lets in. */
  waits: boolean;
  /** Only because too many codes are being tried right now. */
  guarded: boolean;
  name: string | null;
  /** A recording is said at the door, so that nobody comes into a recording unawares. */
  isRecording: boolean;
  /** What the room carries by the plan of its host. */
  brand: Brand | null;
}

export interface RoomSessionOptions extends Pick<MeetingRecordingOptions, 'nameOf' | 'onSaved'> {
  roomCode: string;
  inviteToken: string | undefined;
  line: SocketLine;
  onProblem(problem: RoomProblem, kind?: ProblemKind): void;
  onAsked(what: AskedByHost): void;
  onRecordingProblem: MeetingRecordingOptions['onProblem'];
}

const reasons: Readonly<Record<string, OverReason>> = {
  meeting_not_found: 'not_found',
  route_not_found: 'not_found',
  invalid_input: 'not_found',
  meeting_over: 'over',
  meeting_locked: 'locked',
  room_full: 'full',
  too_many_devices: 'devices',
  removed: 'removed',
  sign_in_required: 'sign_in',
};

const atTheDoor: RoomAccess = {
  state: 'open',
  reason: 'failed',
  waits: false,
  guarded: false,
  name: null,
  isRecording: false,
  brand: null,
};

/** One visit to the address of a meeting: from the question whether one gets in, to having left. */
export class RoomSession {
  readonly roomCode: string;
  readonly own = new LocalDevices();
  readonly store = createRoomStore();
  readonly access = createStore<RoomAccess>(() => ({ ...atTheDoor, state: 'checking' }));
  /** Whether the media nodes are there; asked for while people look at themselves. */
  readonly media = createStore<{ ready: boolean; unavailable: boolean }>(() => ({ ready: false, unavailable: false }));
  /** What this browser records of the meeting, for hosts. */
  readonly recording: MeetingRecording;
  readonly #options: RoomSessionOptions;
  #client: RoomClient | undefined;
  #seat: DoorSeat | undefined;
  #stopped = false;
  readonly #unsubscribe: () => void;

  constructor(options: RoomSessionOptions) {
    this.#options = options;
    this.roomCode = options.roomCode;
    this.recording = new MeetingRecording({
      load: async () => ({
        ...(await import('./recorder/Recorder.ts')),
        ...(await import('./recorder/recordingSink.ts')),
      }),
      room: this.store,
      microphone: () => this.own.store.getState().microphone.track,
      client: () => this.#client,
      now: serverNow,
      nameOf: options.nameOf,
      onProblem: options.onRecordingProblem,
      onSaved: options.onSaved,
      save: saveFile,
    });
    this.#unsubscribe = options.line.onChange(() => this.warm());
    void this.#prepareMedia();
  }

  /** The client of the room one is in or on the way to. */
  get client(): RoomClient | undefined {
    return this.#client;
  }

  /** The place that this tab had a moment ago, before the page was loaded anew. */
  earlierPlace() {
    return findPlace(sessionStorage, this.roomCode, serverNow());
  }

  async checkAccess(): Promise<void> {
    const { roomCode } = this;
    const open = atTheDoor;
    // Whether a call is ours, the room itself answers.
    if (isCallId(roomCode)) return this.access.setState(open);
    this.access.setState({ ...open, state: 'checking' });
    try {
      const { inviteToken } = this.#options;
      const { access, name, guarded, isRecording, brand } = await call(routes.joinMeeting, {
        params: { code: roomCode },
        body: { ...(inviteToken !== undefined && { inviteToken }) },
      });
      this.access.setState({ ...open, waits: access !== 'enter', guarded, name, isRecording, brand });
      this.warm();
    } catch (error) {
      const known = error instanceof ApiError ? reasons[error.code] : undefined;
      this.access.setState({
        ...open,
        state: 'closed',
        reason: known ?? 'failed',
        ...(error instanceof ApiError && { message: error.serverMessage }),
      });
    }
  }

  /** Whoever stands at the door and may come straight in has transports connected by then. */
  warm(): void {
    const { state, waits } = this.access.getState();
    if (this.#stopped || state !== 'open' || waits || this.#client || !this.media.getState().ready) return;
    const { line, inviteToken } = this.#options;
    const { roomCode } = this;
    const participantId = findEarlierId(sessionStorage, roomCode, serverNow());
    const ways = { line, timers: browserTimers, device: loadRoomMedia };
    this.#seat ??= new DoorSeat({ ...ways, roomCode, inviteToken, participantId });
    void this.#seat.warm();
  }

  join(wish: { microphone: boolean; camera: boolean; participantId?: string }): void {
    const { line, inviteToken, onProblem, onAsked } = this.#options;
    // Pressed twice.
    if (this.#client?.isOnTheWay) return;
    this.#client?.close();
    this.store.setState(outside, true);
    const client = new RoomClient({
      roomCode: this.roomCode,
      ...(inviteToken !== undefined && { inviteToken }),
      line,
      store: this.store,
      timers: browserTimers,
      own: this.own,
      device: loadRoomMedia,
      onProblem,
      onAsked,
      onPlace: (participantId) => this.#keep(participantId),
      ...(this.#seat && { seat: this.#seat }),
    });
    this.#seat = undefined;
    this.#client = client;
    // Whoever finds their own way back shortly after is who they were.
    const participantId = wish.participantId ?? findEarlierId(sessionStorage, this.roomCode, serverNow());
    void client.join({ ...wish, ...(participantId !== undefined && { participantId }) });
  }

  /** `others` are whom a host leaves behind. */
  leave(others: readonly Participant[] = []): void {
    this.#client?.leave(others);
    this.own.close('microphone');
    this.own.close('camera');
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#unsubscribe();
    this.#seat?.close();
    this.leave();
    this.recording.close();
    this.own.stop();
  }

  #keep(participantId: string | null): void {
    const { microphone, camera } = this.store.getState();
    if (participantId === null) dropPlace(sessionStorage, this.roomCode);
    else keepPlace(sessionStorage, this.roomCode, { participantId, microphone, camera }, serverNow());
  }

  async #prepareMedia(): Promise<void> {
    while (!this.#stopped) {
      try {
        await loadRoomMedia();
        this.media.setState({ ready: true, unavailable: false });
        this.warm();
        return;
      } catch (error) {
        const unavailable = error instanceof ApiError && error.code === 'media_unavailable';
        this.media.setState({ unavailable });
        const wait = (error instanceof ApiError && error.retryAfterMs) || 3_000;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}
