import { SocketError, type SocketConnection } from '@nolo/client/socket/socketRequests';
import { RoomClient } from '@nolo/client/rooms/RoomClient';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import type { TestUser } from '@nolo/testing';
import { createVoiceDevice, silentDevices } from './announcedVoice.ts';
import { ChaosHistory } from './ChaosHistory.ts';
import { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import { ResilientClient } from './ResilientClient.ts';

/** Refusals that a room recovers from by itself, although the same request would be refused again. */
const recoverable: readonly string[] = ['participant_unknown', 'media_not_found'];

/**
 * Participant without a browser: the room code of the web app, with a voice that is announced but never sounds. It gets
 * no help from outside.
 */
export class MeetingClient {
  readonly name: string;
  readonly #client: ResilientClient;
  readonly #room: RoomClient;
  readonly #store = createRoomStore();
  readonly #history = new ChaosHistory();
  readonly #ends: (() => void)[];
  /** Every participant id that it has had. */
  readonly ids: string[] = [];
  /** Requests refused although the connection was open, unexpected outcomes, and the number of media moves. */
  refusals = 0;
  readonly surprises: string[] = [];
  moves = 0;
  #nodeId = '';

  constructor(name: string, user: TestUser, roomCode: string) {
    this.name = name;
    const history = this.#history;
    const watch = new LiveDeliveryChecker(history);
    this.#client = new ResilientClient({ name, user, history, watch, random: Math.random });
    const { socket } = this.#client.engine;
    this.#ends = [
      socket.subscribe('media_moved', ({ participantId }) => {
        if (participantId === this.participantId) this.moves += 1;
      }),
      this.#store.subscribe(({ phase }) => {
        if (phase.name === 'over') this.surprises.push(`${name} is no longer in the room: ${phase.reason}`);
      }),
    ];
    const device = createVoiceDevice(({ nodeId }) => (this.#nodeId = nodeId));
    this.#room = new RoomClient({
      roomCode,
      socket: this.#observe(socket),
      store: this.#store,
      timers: this.#client.client.timers,
      own: silentDevices,
      device: async () => device,
      onProblem: (problem) => this.surprises.push(`${name} cannot send: ${problem}`),
      onHostRequest: (what) => this.surprises.push(`${name} was interrupted by a host: ${what}`),
      onPlace: (participantId) => {
        if (participantId !== null && participantId !== this.participantId) this.ids.push(participantId);
      },
    });
  }

  async open(): Promise<void> {
    await this.#client.open([]);
    await this.#room.join({ microphone: true, camera: false });
  }

  get participantId(): string {
    return this.ids.at(-1) ?? '';
  }

  /** True if in the room with media, as far as it knows. */
  get inside(): boolean {
    const { phase, reconnecting } = this.#store.getState();
    return phase.name === 'joined' && !reconnecting && this.#room.plane?.state === 'connected';
  }

  /** Ids of the other participants who are present and not reconnecting. */
  get sees(): string[] {
    const { participants, selfId } = this.#store.getState();
    return Object.values(participants)
      .filter(({ id, isReconnecting }) => id !== selfId && !isReconnecting)
      .map(({ id }) => id);
  }

  /** Ids of the participants whose voices it receives. */
  get receivesVoiceOf(): string[] {
    return Object.keys(this.#store.getState().tracks)
      .map((key) => key.split(' '))
      .flatMap(([id = '', source]) => (source === 'microphone' ? [id] : []));
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  get violations(): readonly string[] {
    return [...this.#history.violations, ...this.surprises];
  }

  /** Stops without notice, as a killed browser does. */
  stop(): void {
    for (const end of this.#ends) end();
    this.#room.close();
    this.#client.stop();
  }

  /** Returns the connection, whose refused requests are counted. */
  #observe(socket: SocketConnection): SocketConnection {
    return {
      get isOpen() {
        return socket.isOpen;
      },
      send: (type, data) => socket.send(type, data),
      subscribe: (type, handler) => socket.subscribe(type, handler),
      onChange: (handler) => socket.onChange(handler),
      request: async (type, data, timeoutMs) => {
        try {
          return await socket.request(type, data, timeoutMs);
        } catch (error) {
          this.#countRefusal(type, error);
          throw error;
        }
      },
    };
  }

  #countRefusal(type: string, error: unknown): void {
    const code = error instanceof SocketError ? error.code : String(error);
    if (code === 'disconnected') return;
    this.refusals += 1;
    const mayRecover = recoverable.includes(code) || (error instanceof SocketError && error.passing);
    if (!mayRecover) this.surprises.push(`${this.name}: ${type} was answered with ${code}`);
  }
}
