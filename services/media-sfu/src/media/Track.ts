import type { ParticipantId } from '@nolo/kit/ids';
import type { MediaSource } from '@nolo/rules';
import { parseScalabilityMode, type types } from 'mediasoup';
import type { Demand } from '../domain/demand.ts';
import type { SentLayers } from '../domain/layers.ts';
import type { Shard } from './Shard.ts';

export interface TrackOptions {
  participantId: ParticipantId;
  source: MediaSource;
  producer: types.Producer;
  /** Lines of a video as it is sent in full; undefined where the sender does not say. */
  lines?: number | undefined;
  /** Where the producer is. */
  shard: Shard;
  /** Whether it comes from another node, which tells the further ones itself. */
  remote: boolean;
  /** Hears what of it is wanted on this node and on those that get it from here, whenever that changes. */
  demand?: (demand: Demand) => void;
}

/** A producer as the room knows it: who sends it, from where, and in which layers. */
export class Track {
  readonly id: string;
  readonly participantId: ParticipantId;
  readonly source: MediaSource;
  readonly producer: types.Producer;
  readonly shard: Shard;
  readonly remote: boolean;
  readonly demand: ((demand: Demand) => void) | undefined;
  readonly layers: SentLayers;

  constructor(options: TrackOptions) {
    this.id = options.producer.id;
    this.participantId = options.participantId;
    this.source = options.source;
    this.producer = options.producer;
    this.shard = options.shard;
    this.remote = options.remote;
    this.demand = options.demand;
    this.layers = { ...layersOf(options.producer), lines: options.lines };
  }

  get kind(): 'audio' | 'video' {
    return this.producer.kind;
  }

  get closed(): boolean {
    return this.producer.closed;
  }

  /** Voices compete for being forwarded; the sound of a shared screen does not. */
  get isVoice(): boolean {
    return this.source === 'microphone';
  }
}

/** What a producer sends when it sends all. */
export function layersOf(producer: types.Producer): SentLayers {
  const { encodings } = producer.rtpParameters;
  const mode = parseScalabilityMode(encodings?.[0]?.scalabilityMode);
  const spatial = producer.type === 'simulcast' ? (encodings?.length ?? 1) : mode.spatialLayers;
  return { spatial, temporal: mode.temporalLayers };
}
