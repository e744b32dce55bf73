import type {
  ClientEventName,
  ConsumerOptions,
  JoinedMeeting,
  MediaSession,
  Participant,
  ServerFrame,
} from '@nolo/api';
import type { RoomProblem } from '../src/meetings/room/media/OwnSwitches.ts';
import type {
  DeviceSource,
  LinkHost,
  LinkState,
  MediaLink,
  MediaProblem,
  OwnDevices,
  ProblemKind,
} from '../src/meetings/room/media/ports.ts';
import { RoomClient, type AskedByHost, type RoomClientOptions } from '../src/meetings/room/media/RoomClient.ts';
import { createRoomStore } from '../src/meetings/room/model/meetingRoom.ts';
import { createSocketLine, SocketError } from '../src/api/socketRequests.ts';
import { fakeTimers, settle } from './fakeTimers.ts';

/** A track that can be told apart; nothing else of it is needed. */
export function fakeTrack(name: string): MediaStreamTrack {
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
  return track as unknown as MediaStreamTrack;
}

export const person = (id: string, change: Partial<Participant> = {}): Participant => ({
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

export const consumer = (
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

/** A link that does what it is told, and says what that was. */
export class FakeLink implements MediaLink {
  state: LinkState = 'new';
  closed = false;
  readonly sent = new Map<string, { track: MediaStreamTrack; paused: boolean }>();
  readonly consumed: string[] = [];
  /** Layers that are asked for, by producer id. */
  readonly layers = new Map<string, number>();
  restarts = 0;
  /** Until then what is received is not described. */
  readonly describing: Promise<void> | undefined;
  readonly host: LinkHost;
  readonly nodeId: string;

  constructor(nodeId: string, host: LinkHost, describing?: Promise<void>) {
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

  async send(source: 'microphone', track: MediaStreamTrack, paused: boolean) {
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

/** A room client with a server, a media node and devices that do what the test says. */
export function fakeRoom(
  roomCode = 'abc234',
  { describing, seat }: { describing?: Promise<void>; seat?: RoomClientOptions['seat'] } = {},
) {
  const clock = fakeTimers();
  const asked: { type: ClientEventName; data: Record<string, unknown> }[] = [];
  const answers = new Map<string, (data: Record<string, unknown>) => Answer | Promise<Answer>>();
  const links: FakeLink[] = [];
  const problems: RoomProblem[] = [];
  const kinds: (ProblemKind | undefined)[] = [];
  const hostAsked: AskedByHost[] = [];
  const places: (string | null)[] = [];
  const tracks = new Map<DeviceSource, MediaStreamTrack>();
  const refusals = new Map<DeviceSource | 'screen', MediaProblem>();
  const trackHandlers = new Set<(source: DeviceSource, track: MediaStreamTrack | null) => void>();
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
  const entry = (change: Partial<JoinedMeeting> = {}): JoinedMeeting => ({
    state: 'joined',
    guarded: false,
    participant: person('me'),
    participants: [],
    meeting: null,
    media: session(),
    ...change,
  });
  answers.set('join_meeting', ({ audio, video }) =>
    entry({ participant: person('me', { isMuted: audio === false, hasVideo: video === true }) }),
  );
  answers.set('media_join', () => session());
  answers.set('media_produce', ({ source }) => ({ producerId: `producer of ${String(source)}` }));
  answers.set('media_restart_ice', () => ({ iceParameters: {} }));

  const line = createSocketLine({
    timers: clock.timers,
    write: ({ type, id, data }) => {
      asked.push({ type, data: data as Record<string, unknown> });
      if (id === undefined) return;
      void Promise.resolve(answers.get(type)?.(data as Record<string, unknown>) ?? {}).then((answer) => {
        if (answer instanceof SocketError) {
          const { code, message, retryAfterMs } = answer;
          line.receive({ type: 'error', id, data: { code, message, ...(retryAfterMs && { retryAfterMs }) } });
        } else line.receive({ type: 'ack', id, data: answer as Record<string, unknown> });
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
    line,
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
        throw new Error('Nobody stands at a door here.');
      },
    }),
    ...(seat && { seat }),
    onProblem: (problem, kind) => {
      problems.push(problem);
      kinds.push(kind);
    },
    onAsked: (what) => hostAsked.push(what),
    onPlace: (participantId) => places.push(participantId),
  });
  line.setOpen(true);

  return {
    client,
    clock,
    line,
    store,
    links,
    problems,
    /** Why the device of each could not be opened. */
    kinds,
    hostAsked,
    places,
    answers,
    refusals,
    entry,
    session,
    get link() {
      return links.at(-1)!;
    },
    /** The room goes to another node. */
    moveNode: () => void (node += 1),
    askedFor: (type: ClientEventName) => asked.filter((one) => one.type === type).map(({ data }) => data),
    device: (source: DeviceSource, track: MediaStreamTrack | null) =>
      trackHandlers.forEach((handler) => handler(source, track)),
    async push(frame: ServerFrame) {
      line.receive(frame);
      await settle();
    },
    async join(wish = { microphone: false, camera: false }) {
      await client.join(wish);
      await settle();
    },
  };
}
