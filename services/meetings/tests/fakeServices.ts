import { randomUUID } from 'node:crypto';
import type { Bus } from '@nolo/kit/bus';
import { AppError } from '@nolo/kit/errors';
import type { Log } from '@nolo/kit/log';
import { bindRpcService, serveRpc, type RpcHandlers, type RpcService, type RpcDefinition } from '@nolo/kit/rpc';
import {
  ChatServiceDefinition,
  type AddSystemMessageRequest,
  type GetConversationRequest,
  type JoinMeetingConversationRequest,
} from '@nolo/proto/chat';
import type { Conversation } from '@nolo/proto/conversation';
import { MediaServiceDefinition, type JoinRequest, type ReserveRequest } from '@nolo/proto/media';
import { aGroup } from '@nolo/testing/protos';

/** Creates handlers for the given methods. Calling any other is a test error. */
function partly(definition: RpcDefinition, given: object): never {
  const missing = (name: string) => async () => {
    throw new AppError('internal', 'unexpected_call', `Unexpected call to ${name}.`);
  };
  return {
    ...Object.fromEntries(Object.keys(definition.methods).map((name) => [name, missing(name)])),
    ...given,
  } as never;
}

export interface FakeNode {
  nodeId: string;
  /** Calls received from meetings: method name and request. */
  requests: { method: string; request: Record<string, unknown> }[];
  /** Present participants. */
  peers: Map<string, JoinRequest>;
  /** True to have its rooms moved. */
  draining: boolean;
  /** Number of heartbeats sent. */
  beats: number;
  /** True to refuse newcomers, like a draining node. */
  refusing: boolean;
  /** Delays responses to joins until it resolves. */
  gate: Promise<void> | undefined;
  /** Runs while the node pauses a source. */
  whilePausing: (() => Promise<void>) | undefined;
  /** Stops heartbeats but still answers calls. */
  fallSilent(): void;
  /** Stops the node at once. */
  kill(): Promise<void>;
}

/** Starts a media node without media: records calls, answers them, and sends heartbeats like the real one. */
export async function startFakeNode(options: { bus: Bus; secret: string; log: Log }): Promise<FakeNode> {
  const { bus, secret, log } = options;
  const nodeId = `node-${randomUUID()}`;
  const requests: FakeNode['requests'] = [];
  const peers = new Map<string, JoinRequest>();
  let alive = true;
  const record =
    <Request, Reply>(method: string, answer: (request: Request) => Reply | Promise<Reply>) =>
    async (request: Request) => {
      requests.push({ method, request: request as Record<string, unknown> });
      return answer(request);
    };
  const nothing = (method: string) => record(method, () => ({}));
  const handlers = partly(MediaServiceDefinition, {
    join: record('join', async (request: JoinRequest) => {
      await node.gate;
      if (node.refusing) throw new AppError('unavailable', 'node_draining', 'This node does not accept participants.');
      peers.set(request.participantId, request);
      return {
        nodeId,
        routerRtpCapabilitiesJson: '{}',
        sendTransportJson: '{}',
        receiveTransportJson: '{}',
        consumersJson: '[]',
        connected: request.dtlsParametersJson !== undefined,
      };
    }),
    reserve: record('reserve', (request: ReserveRequest) => {
      if (node.refusing) throw new AppError('unavailable', 'node_draining', 'This node does not accept participants.');
      return {
        nodeId,
        routerRtpCapabilitiesJson: '{}',
        sendTransportJson: JSON.stringify({ id: `send of ${request.participantId}` }),
        receiveTransportJson: '{}',
        goodForMs: 60_000,
        consumersJson: request.rtpCapabilitiesJson === undefined ? '[]' : '[{"id":"made ahead"}]',
      };
    }),
    leave: record('leave', ({ participantId }: { participantId: string }) => {
      peers.delete(participantId);
      return {};
    }),
    closeRoom: record('closeRoom', ({ roomId }: { roomId: string }) => {
      for (const [id, peer] of peers) if (peer.roomId === roomId) peers.delete(id);
      return {};
    }),
    produce: record('produce', () => ({ producerId: 'producer-1' })),
    restartIce: record('restartIce', () => ({ iceParametersJson: '{"usernameFragment":"new"}' })),
    getPeerStats: record('getPeerStats', () => ({
      sendLoss: 0.01,
      receiveLoss: 0,
      jitterMs: 3,
      roundTripMs: 20,
      sendBitrate: 1,
      receiveBitrate: 2,
      availableBitrate: 3,
      degradedConsumers: 0,
    })),
    moveSocket: nothing('moveSocket'),
    setPaused: record('setPaused', async () => {
      await node.whilePausing?.();
      return {};
    }),
    setView: nothing('setView'),
    connectTransport: nothing('connectTransport'),
    closeProducer: nothing('closeProducer'),
    resumeConsumers: nothing('resumeConsumers'),
  }) as RpcHandlers<typeof MediaServiceDefinition>;
  const server = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    log,
    services: [bindRpcService(MediaServiceDefinition, handlers)],
  });
  const beat = () => {
    if (!alive) return;
    node.beats += 1;
    bus.publish('sfu.heartbeat', {
      nodeId,
      rpcAddress: `127.0.0.1:${server.port}`,
      rtpCapabilitiesJson: '{"codecs":[]}',
      rooms: new Set([...peers.values()].map(({ roomId }) => roomId)).size,
      peers: peers.size,
      consumers: 0,
      load: peers.size / 100,
      draining: node.draining,
      paceMs: 200,
    });
  };
  const timer = setInterval(beat, 200);
  const node: FakeNode = {
    nodeId,
    requests,
    peers,
    draining: false,
    beats: 0,
    refusing: false,
    gate: undefined,
    whilePausing: undefined,
    fallSilent() {
      alive = false;
      clearInterval(timer);
    },
    async kill() {
      node.fallSilent();
      await server.stop();
    },
  };
  beat();
  return node;
}

export interface FakeChat {
  address: string;
  joined: JoinMeetingConversationRequest[];
  messages: AddSystemMessageRequest[];
  /** Groups by conversation: members' roles and permissions. */
  groups: Map<string, { roles: Map<string, string>; allowScreenShare: boolean; allowRecording: boolean }>;
  /** Error for system messages. Undefined to accept them. */
  refusal: AppError | undefined;
  stop(): Promise<void>;
}

export async function startFakeChat({
  events,
  ...options
}: {
  secret: string;
  log: Log;
  /** Event log. */
  events: RpcService;
}): Promise<FakeChat> {
  const handlers = partly(ChatServiceDefinition, {
    async joinMeetingConversation(request: JoinMeetingConversationRequest) {
      chat.joined.push(request);
      return {};
    },
    async getConversation({ actorId, conversationId }: GetConversationRequest): Promise<Conversation> {
      const group = chat.groups.get(conversationId);
      const myRole = group?.roles.get(actorId);
      if (!group || myRole === undefined) {
        throw new AppError('not_found', 'conversation_not_found', 'Conversation not found.');
      }
      const { allowScreenShare, allowRecording } = group;
      const shown = { id: conversationId, memberCount: group.roles.size, myRole };
      return aGroup([], shown, { allowScreenShare, allowRecording });
    },
    async addSystemMessage(request: AddSystemMessageRequest) {
      if (chat.refusal) throw chat.refusal;
      chat.messages.push(request);
      return { message: undefined };
    },
  }) as RpcHandlers<typeof ChatServiceDefinition>;
  const server = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    ...options,
    services: [bindRpcService(ChatServiceDefinition, handlers), events],
  });
  const chat: FakeChat = {
    address: `127.0.0.1:${server.port}`,
    joined: [],
    messages: [],
    groups: new Map(),
    refusal: undefined,
    stop: () => server.stop(),
  };
  return chat;
}
