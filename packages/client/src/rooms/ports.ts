import type { ClientEventData, ClientEventName, ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';

/** Ports of a room to the platform's media. The web app implements them with mediasoup-client and getUserMedia. */

/** Track of a microphone, camera, or screen: the platform's own where it has tracks, and what rooms need elsewhere. */
export type MediaTrack = typeof globalThis extends { MediaStreamTrack: { prototype: infer Track } }
  ? Track
  : { stop(): void; addEventListener(type: 'ended', listener: () => void): void };

/** mediasoup's own structures, passed through unchanged. */
export type MediasoupData = Record<string, unknown>;

/** Sends a request as the participant. Adds room and participant to the data. */
export type SendRequest = <N extends ClientEventName>(
  type: N,
  data: Omit<ClientEventData<N>, 'roomCode' | 'participantId'>,
) => Promise<MediasoupData>;

export type LinkState = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed';

/** Requests to the server and notifications to the room by a link. */
export interface MediaLinkHost {
  connect(transportId: string, dtlsParameters: MediasoupData): Promise<void>;
  restartIce(transportId: string): Promise<MediasoupData>;
  /** Resolves to the producer's id. */
  produce(track: {
    kind: 'audio' | 'video';
    source: MediaSource;
    rtpParameters: MediasoupData;
    paused: boolean;
    /** Lines of a video's full layer (columns for an upright picture). */
    lines?: number;
  }): Promise<string>;
  /** Receives the worse state of both directions. */
  changed(state: LinkState): void;
}

/** Send and receive transports to a media node, until closed. */
export interface MediaLink {
  readonly state: LinkState;
  consume(consumer: ConsumerOptions): Promise<MediaTrack>;
  dropConsumer(consumerId: string): void;
  /** Starts sending a source. A source being sent switches to the new track. */
  send(source: MediaSource, track: MediaTrack, paused: boolean): Promise<void>;
  /** Pauses a source. Without its track, the device is free meanwhile. */
  pause(source: MediaSource, keepTrack: boolean): Promise<void>;
  /**
   * Encodes only the lowest `layers` layers of a video from now on, or none with 0. Its track and the user's own
   * picture continue. An unknown producer is the one being created.
   */
  setLayers(producerId: string, layers: number): void;
  /** Stops a source. Returns its producer's id if there was one. */
  stop(source: MediaSource): string | undefined;
  restartIce(): Promise<void>;
  close(): void;
}

export interface MediaDevice {
  readonly rtpCapabilities: MediasoupData;
  /**
   * Parameters of this side for all transports, which the node may receive in advance. Undefined if only a transport
   * reveals them.
   */
  readonly dtlsParameters: MediasoupData | undefined;
  open(session: MediaSession, host: MediaLinkHost): MediaLink;
  /**
   * Connects immediately and sets up the session's consumers, before there is media to carry. Calls `gone` if that
   * fails or later ends.
   */
  warm(session: MediaSession, gone: () => void): PreparedLink;
}

/** Transports that carry nothing yet. */
export interface PreparedLink {
  /** Consumers of the session for which this browser is ready. */
  readonly readyConsumerIds: readonly string[];
  /** Converts them to an ordinary link. Consumers missing from `consumers` end. */
  use(host: MediaLinkHost, consumers: readonly ConsumerOptions[]): MediaLink;
  close(): void;
}

/** Returns the parameters for a node when this browser requests transports. */
export function toTransportParameters({ rtpCapabilities, dtlsParameters }: MediaDevice) {
  return { rtpCapabilities, ...(dtlsParameters && { dtlsParameters }) };
}

export type DeviceSource = 'microphone' | 'camera';

export type TrackHandler = (source: DeviceSource, track: MediaTrack | null, problem?: MediaProblemKind) => void;

/** The user's own devices. */
export interface OwnDevices {
  /** Returns the track of a device, and opens it if necessary. Rejects with MediaProblem. */
  open(source: DeviceSource): Promise<MediaTrack>;
  close(source: DeviceSource): void;
  /** Asks the user what to share. Rejects with MediaProblem. */
  shareScreen(): Promise<{ video: MediaTrack; audio: MediaTrack | null }>;
  /** Notifies the handler when a source has another track, or none, with the reason. */
  onTrack(handler: TrackHandler): () => void;
}

/** `unblurred`: a camera that would show what the user asked to blur. */
export type MediaProblemKind = 'denied' | 'missing' | 'busy' | 'dismissed' | 'unblurred' | 'failed';

/** Reason why there is no track. */
export class MediaProblem extends Error {
  readonly kind: MediaProblemKind;

  constructor(kind: MediaProblemKind, cause?: unknown) {
    super(`media ${kind}`, { cause });
    this.name = 'MediaProblem';
    this.kind = kind;
  }
}
