import { routes, type Brand, type Participant } from '@nolo/api';
import { isCallId } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { ApiError, call } from '../../api/httpClient.ts';
import { serverNow } from '../../api/serverClock.ts';
import { browserTimers } from '../../api/timers.ts';
import { saveFile } from '../../device/saveFile.ts';
import { PreJoinTransports } from '@nolo/client/rooms/PreJoinTransports';
import { LocalDevices } from './media/LocalDevices.ts';
import { loadMediaDevice } from './media/loadMediaDevice.ts';
import { MeetingRecording, type MeetingRecordingOptions } from './media/MeetingRecording.ts';
import type { RoomMediaProblem } from '@nolo/client/rooms/OwnMediaControls';
import type { MediaProblemKind } from '@nolo/client/rooms/ports';
import { RoomClient } from '@nolo/client/rooms/RoomClient';
import { dropRoomPlace, findEarlierParticipantId, findRoomPlace, storeRoomPlace } from '@nolo/client/rooms/roomPlace';
import {
  createRoomStore,
  initialRoomState,
  type HostIntervention,
  type RoomEndReason,
} from '@nolo/client/rooms/roomState';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';

/** Information about a meeting before joining. */
export interface RoomAccess {
  state: 'checking' | 'open' | 'closed';
  reason: RoomEndReason;
  message?: string;
  /** True if a host must admit people. */
  waits: boolean;
  /** True if that is only because of code guessing. */
  guarded: boolean;
  name: string | null;
  /** True if the meeting is recorded. Shown before joining, so that nobody joins a recording unknowingly. */
  isRecording: boolean;
  /** Brand of the room, from the plan of its host. */
  brand: Brand | null;
}

export interface RoomSessionOptions extends Pick<MeetingRecordingOptions, 'nameOf' | 'onSaved'> {
  roomCode: string;
  inviteToken: string | undefined;
  socket: SocketConnection;
  onProblem(problem: RoomMediaProblem, kind?: MediaProblemKind): void;
  onHostRequest(what: HostIntervention): void;
  onRecordingProblem: MeetingRecordingOptions['onProblem'];
}

const reasons: Readonly<Record<string, RoomEndReason>> = {
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

const preJoinAccess: RoomAccess = {
  state: 'open',
  reason: 'failed',
  waits: false,
  guarded: false,
  name: null,
  isRecording: false,
  brand: null,
};

/** Session at a meeting's address: from the access check until the user has left. */
export class RoomSession {
  readonly roomCode: string;
  readonly own = new LocalDevices();
  readonly store = createRoomStore();
  readonly access = createStore<RoomAccess>(() => ({ ...preJoinAccess, state: 'checking' }));
  /** Availability of the media nodes, requested while the user is on the pre-join page. */
  readonly media = createStore<{ ready: boolean; unavailable: boolean }>(() => ({ ready: false, unavailable: false }));
  /** Recording of the meeting by this browser, for hosts. */
  readonly recording: MeetingRecording;
  readonly #options: RoomSessionOptions;
  #client: RoomClient | undefined;
  #preparedTransports: PreJoinTransports | undefined;
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
    this.#unsubscribe = options.socket.onChange(() => this.warm());
    void this.#prepareMedia();
  }

  /** Client of the room that the user is in or joining. */
  get client(): RoomClient | undefined {
    return this.#client;
  }

  /** Returns this tab's place from before a page reload. */
  earlierPlace() {
    return findRoomPlace(sessionStorage, this.roomCode, serverNow());
  }

  async checkAccess(): Promise<void> {
    const { roomCode } = this;
    const open = preJoinAccess;
    // The room itself checks whether the user belongs to a call.
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

  /** Prepares transports for a user on the pre-join page who may join directly, so that they are connected by then. */
  warm(): void {
    const { state, waits } = this.access.getState();
    if (this.#stopped || state !== 'open' || waits || this.#client || !this.media.getState().ready) return;
    const { socket, inviteToken } = this.#options;
    const { roomCode } = this;
    const participantId = findEarlierParticipantId(sessionStorage, roomCode, serverNow());
    const ways = { socket, timers: browserTimers, device: loadMediaDevice };
    this.#preparedTransports ??= new PreJoinTransports({ ...ways, roomCode, inviteToken, participantId });
    void this.#preparedTransports.warm();
  }

  join(joinOptions: { microphone: boolean; camera: boolean; participantId?: string }): void {
    const { socket, inviteToken, onProblem, onHostRequest } = this.#options;
    // Pressed twice.
    if (this.#client?.isOnTheWay) return;
    this.#client?.close();
    this.store.setState(initialRoomState, true);
    const client = new RoomClient({
      roomCode: this.roomCode,
      ...(inviteToken !== undefined && { inviteToken }),
      socket,
      store: this.store,
      timers: browserTimers,
      own: this.own,
      device: loadMediaDevice,
      onProblem,
      onHostRequest,
      onPlace: (participantId) => this.#keep(participantId),
      ...(this.#preparedTransports && { preparedTransports: this.#preparedTransports }),
    });
    this.#preparedTransports = undefined;
    this.#client = client;
    // A user who returns shortly after keeps their participant id.
    const participantId =
      joinOptions.participantId ?? findEarlierParticipantId(sessionStorage, this.roomCode, serverNow());
    void client.join({ ...joinOptions, ...(participantId !== undefined && { participantId }) });
  }

  /** Leaves the meeting. `others` are the participants that a host leaves behind. */
  leave(others: readonly Participant[] = []): void {
    this.#client?.leave(others);
    this.own.close('microphone');
    this.own.close('camera');
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#unsubscribe();
    this.#preparedTransports?.close();
    this.leave();
    this.recording.close();
    this.own.stop();
  }

  #keep(participantId: string | null): void {
    const { microphone, camera } = this.store.getState();
    if (participantId === null) dropRoomPlace(sessionStorage, this.roomCode);
    else storeRoomPlace(sessionStorage, this.roomCode, { participantId, microphone, camera }, serverNow());
  }

  async #prepareMedia(): Promise<void> {
    while (!this.#stopped) {
      try {
        await loadMediaDevice();
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
