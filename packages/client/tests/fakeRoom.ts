import type {
  ClientEventName,
  ConsumerOptions,
  JoinMeetingResult,
  MediaSession,
  Participant,
  ServerFrame,
} from '@nolo/api';
import type { RoomMediaProblem } from '../src/rooms/OwnMediaControls.ts';
import type {
  DeviceSource,
  MediaLinkHost,
  LinkState,
  MediaLink,
  MediaTrack,
  MediaProblem,
  OwnDevices,
  MediaProblemKind,
} from '../src/rooms/ports.ts';
import { RoomClient, type RoomClientOptions } from '../src/rooms/RoomClient.ts';
import { createRoomStore, type HostIntervention } from '../src/rooms/roomState.ts';
import { createSocketConnection, SocketError } from '../src/socket/socketRequests.ts';
import { fakeTimers, settlePromises } from './fakeTimers.ts';

export const refusal = (code: string, retryAfterMs?: number) => new SocketError(code, `refused: ${code}`, retryAfterMs);

/** Track with an identity, which is all that tests need. */
export function fakeTrack(name: string): MediaTrack {
  const ended = new Set<() => void>();
  const track = {
    id: name,
    readyState: 'live',
    stop() {
      track.readyState = 'ended';
    },
    addEventListener: (_: string, handler: () => void) => ended.add(handler),
    end: () => ended.forEach((handler) => handler()),
  };
  return track as unknown as MediaTrack;
}

export const createParticipant = (id: string, change: Partial<Participant> = {}): Participant => ({
  id,
  userId: `user-${id}`,
  name: id,
  profileImageUrl: null,
  role: 'participant',
  isMuted: true,
  hasVideo: false,
  isSharing: false,
  isHandRaised: false,
  handRaisedAt: null,
  isReconnecting: false,
  joinedAt: '2026-01-01T00:00:00Z',
  version: 1,
  ...change,
});

export const createConsumer = (
  id: string,
  participantId: string,
  change: Partial<ConsumerOptions> = {},
): ConsumerOptions => ({
  id,
  producerId: `producer-${id}`,
  participantId,
  source: 'microphone',
  kind: 'audio',
  rtpParameters: {},
  producerPaused: false,
  ...change,
});

/** Link that records its calls. */
export class FakeLink implements MediaLink {
  state: LinkState = 'new';
  closed = false;
  readonly sent = new Map<string, { track: MediaTrack; paused: boolean }>();
  readonly consumed: string[] = [];
  /** Requested layers by producer id. */
  readonly layers = new Map<string, number>();
  restarts = 0;
  /** Promise that delays the description of received media. */
  readonly describing: Promise<void> | undefined;
  readonly host: MediaLinkHost;
  readonly nodeId: string;

  constructor(nodeId: string, host: MediaLinkHost, describing?: Promise<void>) {
    this.nodeId = nodeId;
    this.host = host;
    this.describing = describing;
  }

  async consume({ id }: ConsumerOptions) {
    await this.describing;
    this.consumed.push(id);
    return fakeTrack(`${this.nodeId} ${id}`);
  }

  dropConsumer(): void {}

  async send(source: 'microphone', track: MediaTrack, paused: boolean) {
    if (!this.sent.has(source)) {
      await this.host.produce({ kind: 'audio', source, rtpParameters: {}, paused });
    }
    this.sent.set(source, { track, paused });
  }

  async pause(source: string) {
    const sent = this.sent.get(source);
    if (sent) this.sent.set(source, { ...sent, paused: true });
  }

  setLayers(producerId: string, layers: number) {
    this.layers.set(producerId, layers);
  }

  stop(source: string) {
    return this.sent.delete(source) ? `producer of ${source}` : undefined;
  }

  async restartIce() {
    this.restarts += 1;
    await this.host.restartIce('transport');
  }

  close() {
    this.closed = true;
  }

  become(state: LinkState): void {
    this.state = state;
    this.host.changed(state);
  }
}

type Answer = object | SocketError;

/** Room client with a server, a media node, and devices that the test controls. */
export function fakeRoom(
  roomCode = 'abc234',
  {
    describing,
    preparedTransports,
  }: { describing?: Promise<void>; preparedTransports?: RoomClientOptions['preparedTransports'] } = {},
) {
  const clock = fakeTimers();
  const requests: { type: ClientEventName; data: Record<string, unknown> }[] = [];
  const answers = new Map<string, (data: Record<string, unknown>) => Answer | Promise<Answer>>();
  const links: FakeLink[] = [];
  const problems: RoomMediaProblem[] = [];
  const kinds: (MediaProblemKind | undefined)[] = [];
  const hostRequests: HostIntervention[] = [];
  const places: (string | null)[] = [];
  const tracks = new Map<DeviceSource, MediaTrack>();
  const refusals = new Map<DeviceSource | 'screen', MediaProblem>();
  const trackHandlers = new Set<(source: DeviceSource, track: MediaTrack | null) => void>();
  let node = 1;

  const session = (consumers: ConsumerOptions[] = []): MediaSession => ({
    nodeId: `node-${node}`,
    routerRtpCapabilities: {},
    sendTransport: { id: 'send', iceParameters: {}, iceCandidates: [], dtlsParameters: {} },
    receiveTransport: { id: 'receive', iceParameters: {}, iceCandidates: [], dtlsParameters: {} },
    consumers,
    iceServers: [],
    connected: false,
  });
  const entry = (change: Partial<JoinMeetingResult> = {}): JoinMeetingResult => ({
    state: 'joined',
    guarded: false,
    participant: createParticipant('me'),
    participants: [],
    meeting: null,
    media: session(),
    ...change,
  });
  answers.set('join_meeting', ({ audio, video }) =>
    entry({ participant: createParticipant('me', { isMuted: audio === false, hasVideo: video === true }) }),
  );
  answers.set('media_join', () => session());
  answers.set('media_produce', ({ source }) => ({ producerId: `producer of ${String(source)}` }));
  answers.set('media_restart_ice', () => ({ iceParameters: {} }));

  const socket = createSocketConnection({
    timers: clock.timers,
    write: ({ type, id, data }) => {
      requests.push({ type, data: data as Record<string, unknown> });
      if (id === undefined) return;
      void Promise.resolve(answers.get(type)?.(data as Record<string, unknown>) ?? {}).then((answer) => {
        if (answer instanceof SocketError) {
          const { code, message, retryAfterMs } = answer;
          socket.receive({ type: 'error', id, data: { code, message, ...(retryAfterMs && { retryAfterMs }) } });
        } else socket.receive({ type: 'ack', id, data: answer as Record<string, unknown> });
      });
    },
  });
  const own: OwnDevices = {
    async open(source) {
      const refusal = refusals.get(source);
      if (refusal) throw refusal;
      const track = tracks.get(source) ?? fakeTrack(source);
      tracks.set(source, track);
      return track;
    },
    close: (source) => void tracks.delete(source),
    async shareScreen() {
      const refusal = refusals.get('screen');
      if (refusal) throw refusal;
      return { video: fakeTrack('screen'), audio: null };
    },
    onTrack(handler) {
      trackHandlers.add(handler);
      return () => void trackHandlers.delete(handler);
    },
  };
  const store = createRoomStore();
  const client = new RoomClient({
    roomCode,
    socket,
    store,
    timers: clock.timers,
    own,
    device: async () => ({
      rtpCapabilities: { codecs: [] },
      dtlsParameters: undefined,
      open(media, host) {
        const link = new FakeLink(media.nodeId, host, links.length === 0 ? describing : undefined);
        links.push(link);
        return link;
      },
      warm: () => {
        throw new Error('There is no pre-join page here.');
      },
    }),
    ...(preparedTransports && { preparedTransports }),
    onProblem: (problem, kind) => {
      problems.push(problem);
      kinds.push(kind);
    },
    onHostRequest: (what) => hostRequests.push(what),
    onPlace: (participantId) => places.push(participantId),
  });
  socket.setOpen(true);

  return {
    client,
    clock,
    socket,
    store,
    links,
    problems,
    /** Reasons why each device could not be opened. */
    kinds,
    hostAsked: hostRequests,
    places,
    answers,
    refusals,
    entry,
    session,
    get link() {
      return links.at(-1)!;
    },
    /** Moves the room to another node. */
    moveNode: () => void (node += 1),
    requestsOf: (type: ClientEventName) => requests.filter((one) => one.type === type).map(({ data }) => data),
    device: (source: DeviceSource, track: MediaTrack | null) =>
      trackHandlers.forEach((handler) => handler(source, track)),
    async push(frame: ServerFrame) {
      socket.receive(frame);
      await settlePromises();
    },
    async join(joinOptions = { microphone: false, camera: false }) {
      await client.join(joinOptions);
      await settlePromises();
    },
  };
}
