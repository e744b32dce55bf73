import type { ClientEventName, ConsumerOptions, JoinMeetingResult, MediaSession, ServerEventData } from '@nolo/api';
import type { TestUser } from '@nolo/testing';
import { SocketError, type SocketConnection } from '@nolo/client/socket/socketRequests';
import { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import { ChaosHistory } from './ChaosHistory.ts';
import { testRtpCapabilities, createVoiceParameters } from './meetingCast.ts';
import { ResilientClient } from './ResilientClient.ts';

/** Milliseconds before it retries after a temporary refusal. */
const retryMs = 500;
const beatMs = 1_000;

/**
 * Simulates a participant without a browser: the web client's own connection, with joining, rejoining after every
 * interruption, and a voice that is announced but never sounds. It gets no help from outside.
 */
export class MeetingClient {
  readonly name: string;
  readonly roomCode: string;
  readonly #client: ResilientClient;
  readonly #history = new ChaosHistory();
  readonly #ends: (() => void)[];
  readonly #beat: NodeJS.Timeout;
  readonly #others = new Map<string, { isReconnecting: boolean }>();
  /** Participants whose voices it receives, by consumer id. */
  readonly #voices = new Map<string, string>();
  /** Every participant id that it has had. */
  readonly ids: string[] = [];
  /** Requests refused although the connection was open, unexpected error codes, and the number of media moves. */
  refusals = 0;
  readonly surprises: string[] = [];
  moves = 0;
  #inside = false;
  #entering = false;
  #nodeId = '';
  #stopped = false;

  constructor(name: string, user: TestUser, roomCode: string) {
    this.name = name;
    this.roomCode = roomCode;
    const history = this.#history;
    this.#client = new ResilientClient({
      name,
      user,
      history,
      watch: new LiveDeliveryChecker(history),
      random: Math.random,
    });
    const { socket } = this;
    this.#ends = [
      socket.onChange((open) => {
        this.#inside = false;
        if (open) void this.#enter();
      }),
      this.#subscribe('meeting_participant_joined', ({ participant }) => this.#others.set(participant.id, participant)),
      this.#subscribe('meeting_participant_changed', ({ participant }) => {
        if (participant.id !== this.participantId) this.#others.set(participant.id, participant);
      }),
      this.#subscribe('meeting_participant_left', ({ participantId }) => {
        if (participantId === this.participantId) void this.#enter();
        else this.#forget(participantId);
      }),
      this.#subscribeOwn('media_consumer_added', ({ consumer }) => this.#listen([consumer])),
      this.#subscribeOwn('media_consumer_closed', ({ consumerId }) => this.#voices.delete(consumerId)),
      this.#subscribeOwn('media_moved', () => {
        this.moves += 1;
        void this.#moveMedia();
      }),
    ];
    this.#beat = setInterval(() => void this.#reportConnection(), beatMs);
  }

  async open(): Promise<void> {
    await this.#client.open([]);
  }

  get socket(): SocketConnection {
    return this.#client.engine.socket;
  }

  get participantId(): string {
    return this.ids.at(-1) ?? '';
  }

  /** True if in the room with media, as far as it knows. */
  get inside(): boolean {
    return this.#inside;
  }

  /** Ids of the other participants who are present and not reconnecting. */
  get sees(): string[] {
    return [...this.#others].filter(([, { isReconnecting }]) => !isReconnecting).map(([id]) => id);
  }

  /** Ids of the participants whose voices it receives. */
  get receivesVoiceOf(): string[] {
    return [...new Set(this.#voices.values())];
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  get violations(): readonly string[] {
    return [...this.#history.violations, ...this.surprises];
  }

  /** Stops without notice, as a killed browser does. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#beat);
    for (const end of this.#ends) end();
    this.#client.stop();
  }

  async #enter(): Promise<void> {
    if (this.#entering || this.#stopped) return;
    this.#entering = true;
    this.#inside = false;
    try {
      const before = this.participantId;
      const entry = await this.socket.request<'join_meeting', JoinMeetingResult>('join_meeting', {
        roomCode: this.roomCode,
        rtpCapabilities: testRtpCapabilities as never,
        audio: true,
        video: false,
        ...(before !== '' && { participantId: before }),
      });
      if (entry.participant.id !== before) this.ids.push(entry.participant.id);
      this.#others.clear();
      for (const one of entry.participants) this.#others.set(one.id, one);
      if (entry.media) await this.#use(entry.media);
    } catch (error) {
      this.#notNow(error, () => this.#enter());
    } finally {
      this.#entering = false;
    }
  }

  async #moveMedia(): Promise<void> {
    this.#inside = false;
    try {
      const session = await this.#ask<MediaSession>('media_join', { rtpCapabilities: testRtpCapabilities });
      await this.#use(session);
    } catch (error) {
      this.#notNow(error, () => this.#moveMedia());
    }
  }

  async #use({ nodeId, consumers }: MediaSession): Promise<void> {
    this.#nodeId = nodeId;
    this.#voices.clear();
    this.#listen(consumers);
    await this.#ask('media_produce', {
      kind: 'audio',
      source: 'microphone',
      rtpParameters: createVoiceParameters(),
      paused: false,
    });
    this.#inside = true;
  }

  #listen(consumers: readonly ConsumerOptions[]): void {
    for (const { id, participantId } of consumers) this.#voices.set(id, participantId);
  }

  #forget(participantId: string): void {
    this.#others.delete(participantId);
    for (const [id, whose] of this.#voices) if (whose === participantId) this.#voices.delete(id);
  }

  /** Reports its state as pages do every few seconds. If the server does not know the participant, it joins again. */
  async #reportConnection(): Promise<void> {
    if (!this.socket.isOpen || !this.#inside) return;
    await this.#ask('sfu_connection_update', { state: 'connected' }).catch((error: unknown) => {
      this.refusals += 1;
      if (error instanceof SocketError && error.code === 'participant_unknown') void this.#enter();
    });
  }

  #notNow(error: unknown, retry: () => Promise<void>): void {
    if (this.#stopped) return;
    this.refusals += 1;
    const code = error instanceof SocketError ? error.code : String(error);
    // The connection reopens, and then it joins again.
    if (code === 'disconnected') return;
    if (code === 'participant_unknown') retry = () => this.#enter();
    else if (!(error instanceof SocketError && error.passing))
      this.surprises.push(`${this.name} was answered with ${code}`);
    setTimeout(() => void retry(), retryMs);
  }

  #ask<T>(type: ClientEventName, data: Record<string, unknown>): Promise<T> {
    const { roomCode, participantId } = this;
    return this.socket.request<ClientEventName, T>(type, { roomCode, participantId, ...data } as never);
  }

  #subscribe<N extends Parameters<SocketConnection['subscribe']>[0]>(
    type: N,
    handler: (data: ServerEventData<N>) => void,
  ): () => void {
    return this.socket.subscribe(type, handler);
  }

  #subscribeOwn<N extends 'media_consumer_added' | 'media_consumer_closed' | 'media_moved'>(
    type: N,
    handler: (data: ServerEventData<N>) => void,
  ): () => void {
    return this.socket.subscribe(type, (data) => {
      if (data.participantId === this.participantId) handler(data);
    });
  }
}
