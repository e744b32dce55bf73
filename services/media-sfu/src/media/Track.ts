import type { ParticipantId } from '@nolo/kit/ids';
import type { MediaSource } from '@nolo/rules';
import { parseScalabilityMode, type types } from 'mediasoup';
import type { VideoDemand } from '../domain/demand.ts';
import type { SentLayers } from '../domain/layers.ts';
import type { Shard } from './Shard.ts';

export interface TrackOptions {
  participantId: ParticipantId;
  source: MediaSource;
  producer: types.Producer;
  /** Lines of the video's highest layer. Undefined if the sender does not report it. */
  shortSide?: number | undefined;
  /** Shard of the producer. */
  shard: Shard;
  /** True if it comes from another node, which forwards it to further nodes itself. */
  remote: boolean;
  /** Called whenever the demand of this node and the nodes it feeds changes. */
  demand?: (demand: VideoDemand) => void;
}

/** Producer as the room knows it: its sender, origin, and layers. */
export class Track {
  readonly id: string;
  readonly participantId: ParticipantId;
  readonly source: MediaSource;
  readonly producer: types.Producer;
  readonly shard: Shard;
  readonly remote: boolean;
  readonly demand: ((demand: VideoDemand) => void) | undefined;
  readonly layers: SentLayers;

  constructor(options: TrackOptions) {
    this.id = options.producer.id;
    this.participantId = options.participantId;
    this.source = options.source;
    this.producer = options.producer;
    this.shard = options.shard;
    this.remote = options.remote;
    this.demand = options.demand;
    this.layers = { ...layersOf(options.producer), shortSide: options.shortSide };
  }

  get kind(): 'audio' | 'video' {
    return this.producer.kind;
  }

  get closed(): boolean {
    return this.producer.closed;
  }

  /** True for voices, which compete for being forwarded. The audio of a shared screen does not. */
  get isVoice(): boolean {
    return this.source === 'microphone';
  }
}

/** Returns all layers that a producer can send. */
export function layersOf(producer: types.Producer): SentLayers {
  const { encodings } = producer.rtpParameters;
  const mode = parseScalabilityMode(encodings?.[0]?.scalabilityMode);
  const spatial = producer.type === 'simulcast' ? (encodings?.length ?? 1) : mode.spatialLayers;
  return { spatial, temporal: mode.temporalLayers };
}
