import { randomUUID } from 'node:crypto';
import { connectBus, type Bus } from '@nolo/kit/bus';
import { loadConfig } from '@nolo/kit/config';
import { gatewaySubjectOf, type DeliveryEnvelope } from '@nolo/kit/delivery';
import { isAppError } from '@nolo/kit/errors';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import { MediaServiceDefinition, type JoinRequest, type Node } from '@nolo/proto/media';
import { readTestServerAddresses, createUniqueName } from '@nolo/testing';
import { createMediaApp, type MediaApp, type MediaAppOptions } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import type { ClientConsumerOptions, NodeEvent, PeerFrame } from '../src/domain/messages.ts';
import { buildRouterRtpCapabilities } from '../src/media/codecs.ts';
import type { ClientTransportOptions } from '../src/media/PeerTransport.ts';
import type { Room } from '../src/media/Room.ts';

export type MediaClient = RpcClient<typeof MediaServiceDefinition>;

type Data<Type extends PeerFrame['type']> = Extract<PeerFrame, { type: Type }>['data'];

/** Data that a participant receives on joining, and how to continue. */
export interface JoinedParticipant {
  roomId: string;
  participantId: string;
  userId: string;
  /** Identifies room and participant in all further requests. */
  who: { roomId: string; participantId: string };
  nodeId: string;
  sendTransport: ClientTransportOptions;
  receiveTransport: ClientTransportOptions;
  consumers: ClientConsumerOptions[];
}

export interface TestNode {
  app: MediaApp;
  client: MediaClient;
  address: string;
  /** Address of the metrics. */
  metricsUrl: string;
  room(roomId: string): Room;
  join(roomId: string, more?: Partial<JoinRequest>): Promise<JoinedParticipant>;
}

type NodeOptions = Pick<MediaAppOptions, 'emptyRoomMs' | 'fewerLayersAfterMs' | 'preparedTransportsMs'>;

export interface TestMedia {
  bus: Bus;
  events: NodeEvent[];
  heartbeats: Node[];
  /** Environment of a node that runs as its own process. */
  variables: Record<string, string>;
  startNode(variables?: Record<string, string>, options?: NodeOptions): Promise<TestNode>;
  clientOf(address: string): MediaClient;
  /** Returns frames of a type that the gateway received for a participant. */
  framesTo<Type extends PeerFrame['type']>(participantId: string, type: Type): Data<Type>[];
  deliveriesTo(participantId: string): (DeliveryEnvelope & { gateway: string })[];
  stop(): Promise<void>;
}

const secret = 'a-secret-of-this-test-alone';
export const testGatewayId = 'gateway-under-test';
export const otherGatewayId = 'gateway-beside-it';
export const capabilitiesJson = JSON.stringify(buildRouterRtpCapabilities());

export async function startMedia(): Promise<TestMedia> {
  const stack = createStopStack();
  const { natsUrl } = readTestServerAddresses();
  const natsPrefix = createUniqueName();
  const log = createLog({ service: 'test', level: 'fatal' });
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  stack.push('bus', () => bus.close());

  const deliveries: (DeliveryEnvelope & { gateway: string })[] = [];
  for (const name of [testGatewayId, otherGatewayId]) {
    bus.subscribe(gatewaySubjectOf(name), (data) => {
      deliveries.push({ ...(data as DeliveryEnvelope), gateway: name });
    });
  }
  const events: NodeEvent[] = [];
  bus.subscribe('sfu.event', (data) => void events.push(data as NodeEvent));
  const heartbeats: Node[] = [];
  bus.subscribe('sfu.heartbeat', (data) => void heartbeats.push(data as Node));
  await bus.flush();

  const binary = process.env['MEDIASOUP_WORKER_BIN'];
  const variables: Record<string, string> = {
    NOLO_MODE: 'demo',
    LOG_LEVEL: 'fatal',
    NATS_URL: natsUrl,
    NATS_PREFIX: natsPrefix,
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    MEDIA_PORT: '0',
    MEDIA_WORKERS: '1',
    MEDIA_DRAIN_SECONDS: '0',
    ...(binary ? { MEDIASOUP_WORKER_BIN: binary } : {}),
  };

  const clientOf = (address: string) => {
    const client = createClient(MediaServiceDefinition, address, { secret, timeoutMs: 20_000 });
    stack.push('client', () => client.close());
    return client;
  };

  return {
    bus,
    events,
    heartbeats,
    variables,
    clientOf,
    async startNode(more = {}, options = {}) {
      const app = createMediaApp({ config: loadConfig(configSchema, { ...variables, ...more }), log, ...options });
      const { rpc, metrics } = await app.start();
      stack.push('app', () => app.stop());
      const address = `127.0.0.1:${rpc}`;
      const client = clientOf(address);
      return {
        app,
        client,
        address,
        metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
        room(roomId) {
          const room = app.rooms?.find(roomId);
          if (!room) throw new Error('Unknown room.');
          return room;
        },
        join: (roomId, request) => joinRoom(client, roomId, request),
      };
    },
    framesTo: <Type extends PeerFrame['type']>(participantId: string, type: Type) =>
      deliveries
        .filter(({ scope, frame }) => scope === participantId && frame.type === type)
        .map(({ frame }) => frame.data as Data<Type>),
    deliveriesTo: (participantId) => deliveries.filter(({ scope }) => scope === participantId),
    stop: () => stack.stop(),
  };
}

export async function joinRoom(
  client: MediaClient,
  roomId: string,
  more: Partial<JoinRequest> = {},
): Promise<JoinedParticipant> {
  const request: JoinRequest = {
    roomId,
    roomCode: 'ABC234',
    participantId: randomUUID(),
    userId: randomUUID(),
    gatewayId: testGatewayId,
    rtpCapabilitiesJson: capabilitiesJson,
    maxParticipants: 100,
    otherNodes: [],
    takesPrepared: false,
    readyConsumerIds: [],
    ...more,
  };
  const reply = await client.join(request);
  const { participantId, userId } = request;
  return {
    roomId,
    participantId,
    userId,
    who: { roomId, participantId },
    nodeId: reply.nodeId,
    sendTransport: JSON.parse(reply.sendTransportJson) as ClientTransportOptions,
    receiveTransport: JSON.parse(reply.receiveTransportJson) as ClientTransportOptions,
    consumers: JSON.parse(reply.consumersJson) as ClientConsumerOptions[],
  };
}

let ssrcs = 1000;

/** Returns parameters of an Opus track as Chromium sends them. */
export function createVoiceParametersJson(): string {
  ssrcs += 10;
  return JSON.stringify({
    mid: String(ssrcs),
    codecs: [
      {
        mimeType: 'audio/opus',
        payloadType: 111,
        clockRate: 48_000,
        channels: 2,
        parameters: { minptime: 10, useinbandfec: 1, usedtx: 1 },
        rtcpFeedback: [{ type: 'transport-cc' }, { type: 'nack' }],
      },
    ],
    headerExtensions: [
      { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 4 },
      { uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level', id: 1 },
    ],
    encodings: [{ ssrc: ssrcs, dtx: true }],
    rtcp: { cname: 'one' },
  });
}

/** Returns parameters of a camera with three layers. */
export function createCameraParametersJson(): string {
  ssrcs += 10;
  return JSON.stringify({
    mid: String(ssrcs),
    codecs: [
      {
        mimeType: 'video/VP8',
        payloadType: 96,
        clockRate: 90_000,
        rtcpFeedback: [
          { type: 'nack' },
          { type: 'nack', parameter: 'pli' },
          { type: 'ccm', parameter: 'fir' },
          { type: 'transport-cc' },
        ],
      },
      { mimeType: 'video/rtx', payloadType: 97, clockRate: 90_000, parameters: { apt: 96 } },
    ],
    headerExtensions: [
      { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 4 },
      { uri: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id', id: 10 },
    ],
    encodings: ['r0', 'r1', 'r2'].map((rid) => ({ rid, scalabilityMode: 'L1T3', maxBitrate: 500_000 })),
    rtcp: { cname: 'one' },
  });
}

export const dtlsJson = JSON.stringify({
  role: 'client',
  fingerprints: [{ algorithm: 'sha-256', value: Array.from({ length: 32 }, () => 'AB').join(':') }],
});

export async function sendVoice(client: MediaClient, { who }: JoinedParticipant, paused = false): Promise<string> {
  const rtpParametersJson = createVoiceParametersJson();
  const request = { ...who, kind: 'audio', source: 'microphone', rtpParametersJson, paused };
  return (await client.produce(request)).producerId;
}

export async function sendCamera(client: MediaClient, { who }: JoinedParticipant, source = 'camera'): Promise<string> {
  const rtpParametersJson = createCameraParametersJson();
  return (await client.produce({ ...who, kind: 'video', source, rtpParametersJson, paused: false })).producerId;
}

/** Returns the kind and `code` of a call's error: `not_found media_not_found`. */
export async function mediaErrorKindAndCode(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (isAppError(error)) return `${error.kind} ${error.code}`;
    throw error;
  }
  return 'none';
}
