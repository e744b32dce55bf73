import type { ClientEventData, ClientEventName, ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';

/** What a room needs of the browser's media. mediasoup-client and getUserMedia stand behind it; tests bring their own. */

/** mediasoup's own structures, which pass through as they are. */
export type Structure = Record<string, unknown>;

/** A request in the name of the participant; room and participant are added to what it says. */
export type Ask = <N extends ClientEventName>(
  type: N,
  data: Omit<ClientEventData<N>, 'roomCode' | 'participantId'>,
) => Promise<Structure>;

export type LinkState = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed';

/** What a link asks of the server, and tells the room. */
export interface LinkHost {
  connect(transportId: string, dtlsParameters: Structure): Promise<void>;
  restartIce(transportId: string): Promise<Structure>;
  /** Answers the producer's id. */
  produce(track: {
    kind: 'audio' | 'video';
    source: MediaSource;
    rtpParameters: Structure;
    paused: boolean;
    /** Of a video: the lines that it has in full, of a picture held upright its columns. */
    lines?: number;
  }): Promise<string>;
  /** The worse of both directions. */
  changed(state: LinkState): void;
}

/** Both transports to a media node, until it is closed. */
export interface MediaLink {
  readonly state: LinkState;
  consume(consumer: ConsumerOptions): Promise<MediaStreamTrack>;
  dropConsumer(consumerId: string): void;
  /** Begins to send a source; one that is sent already goes on with the new track. */
  send(source: MediaSource, track: MediaStreamTrack, paused: boolean): Promise<void>;
  /** Sends nothing of a source until it goes on; without a track the device is free meanwhile. */
  pause(source: MediaSource, keepTrack: boolean): Promise<void>;
  /**
   * Encodes only the lowest so many layers of a video from now on, none with 0. Its track and one's own picture go on. A
   * producer that is not known yet is the one that is being made.
   */
  setLayers(producerId: string, layers: number): void;
  /** Ends a source; answers its producer's id where there was one. */
  stop(source: MediaSource): string | undefined;
  restartIce(): Promise<void>;
  close(): void;
}

export interface MediaDevice {
  /** What this browser receives. */
  readonly rtpCapabilities: Structure;
  /** Its side of every transport, which the node may have before there are any; undefined where only a transport tells. */
  readonly dtlsParameters: Structure | undefined;
  open(session: MediaSession, host: LinkHost): MediaLink;
  /** Connects at once, and sets up the session's consumers, before there is anything to carry. `gone` is told when that comes to nothing, or later to an end. */
  warm(session: MediaSession, gone: () => void): WarmLink;
}

/** Transports that carry nothing yet. */
export interface WarmLink {
  /** Consumers of the session for which this browser is set up by now. */
  readonly readyConsumerIds: readonly string[];
  /** They are a link as any other from now on. What is not among `consumers` any more ends. */
  use(host: LinkHost, consumers: readonly ConsumerOptions[]): MediaLink;
  close(): void;
}

/** What a node is told of a browser that asks for transports. */
export function ownMedia({ rtpCapabilities, dtlsParameters }: MediaDevice) {
  return { rtpCapabilities, ...(dtlsParameters && { dtlsParameters }) };
}

export type DeviceSource = 'microphone' | 'camera';

export type TrackHandler = (source: DeviceSource, track: MediaStreamTrack | null, problem?: ProblemKind) => void;

/** One's own devices. */
export interface OwnDevices {
  /** The track of a device, opened if it is not. Rejects with MediaProblem. */
  open(source: DeviceSource): Promise<MediaStreamTrack>;
  close(source: DeviceSource): void;
  /** Asks the person what to share. Rejects with MediaProblem. */
  shareScreen(): Promise<{ video: MediaStreamTrack; audio: MediaStreamTrack | null }>;
  /** Told when a source has another track, or none any more, and then why. */
  onTrack(handler: TrackHandler): () => void;
}

/** `unblurred` is a camera that would show what somebody has asked to have blurred. */
export type ProblemKind = 'denied' | 'missing' | 'busy' | 'dismissed' | 'unblurred' | 'failed';

/** Why there is no track. */
export class MediaProblem extends Error {
  readonly kind: ProblemKind;

  constructor(kind: ProblemKind, cause?: unknown) {
    super(`media ${kind}`, { cause });
    this.name = 'MediaProblem';
    this.kind = kind;
  }
}
