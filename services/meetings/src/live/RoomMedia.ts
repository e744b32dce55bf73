import { isAppError } from '@nolo/kit/errors';
import type { MediaNodeId, RoomId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { JoinReply, ReserveReply } from '@nolo/proto/media';
import type { ReserveRequest } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import type { Participant } from '../domain/participant.ts';
import type { RoomNode, RoomStore } from '../domain/ports.ts';
import { mediaUnavailable, participantUnknown } from '../errors.ts';
import type { MediaClient, MediaNodes } from './MediaNodes.ts';

/** Maximum nodes tried in turn. */
const maxNodeAttempts = 3;

/** Timeout of a join. A node prepares a stream from everyone in the room; a dead one refuses at once. */
const joinTimeoutMs = 10_000;

/** Media parameters of a client, sent before it has any media. */
export interface ClientMediaParameters {
  readonly rtpCapabilitiesJson: string;
  /** Parameters for both transports. Undefined if the client sends them later. */
  readonly dtlsParametersJson?: string | undefined;
  /** Node with transports prepared for the client. Undefined if nothing is prepared. */
  readonly preparedNodeId?: string | undefined;
  /** Prepared consumers for which the client is set up. */
  readonly readyConsumerIds?: readonly string[];
}

/** Chooses the nodes of a room and communicates with the node of a participant. */
export class RoomMedia {
  readonly #nodes: MediaNodes;
  readonly #rooms: RoomStore;
  readonly #peersPerNode: number;
  readonly #log: Log;
  readonly #leave: (roomId: RoomId, nodeId: MediaNodeId, except: string) => Promise<void>;

  constructor(options: {
    nodes: MediaNodes;
    rooms: RoomStore;
    peersPerNode: number;
    log: Log;
    /** Called when a node no longer carries a room. Notifies its participants, except the one who found out. */
    leave: (roomId: RoomId, nodeId: MediaNodeId, except: string) => Promise<void>;
  }) {
    this.#nodes = options.nodes;
    this.#rooms = options.rooms;
    this.#peersPerNode = options.peersPerNode;
    this.#log = options.log;
    this.#leave = options.leave;
  }

  /** Returns the codecs that every node sends and receives. @throws media_unavailable */
  rtpCapabilitiesJson(): string {
    const [node] = this.#nodes.available();
    if (!node) throw mediaUnavailable();
    return node.rtpCapabilitiesJson;
  }

  /** Creates a participant's transports on one of the room's nodes. @throws media_unavailable */
  join(
    participant: Participant,
    { rtpCapabilitiesJson, dtlsParametersJson, preparedNodeId, readyConsumerIds = [] }: ClientMediaParameters,
    maxParticipants: number,
  ): Promise<{ node: RoomNode; reply: JoinReply }> {
    return this.#onNode(participant, preparedNodeId, (client, others, nodeId) =>
      client.join(
        {
          roomId: participant.roomId,
          roomCode: participant.roomCode,
          participantId: participant.id,
          userId: participant.userId,
          gatewayId: participant.gatewayId,
          rtpCapabilitiesJson,
          dtlsParametersJson,
          takesPrepared: nodeId === preparedNodeId,
          readyConsumerIds: nodeId === preparedNodeId ? [...readyConsumerIds] : [],
          // Nodes count devices.
          maxParticipants: maxParticipants * limits.devicesPerPerson,
          otherNodes: others.map(({ address }) => address),
        },
        { timeoutMs: joinTimeoutMs },
      ),
    );
  }

  /** Prepares transports for someone who may join, on the node they would use. @throws media_unavailable */
  async reserve(
    participant: Participant,
    client: Pick<ReserveRequest, 'dtlsParametersJson' | 'rtpCapabilitiesJson'>,
  ): Promise<ReserveReply> {
    const { roomId, id: participantId, userId } = participant;
    const { dtlsParametersJson, rtpCapabilitiesJson } = client;
    const { reply } = await this.#onNode(participant, undefined, (node) =>
      node.reserve({ roomId, participantId, userId, dtlsParametersJson, rtpCapabilitiesJson }),
    );
    return reply;
  }

  /** Tries the room's nodes in turn until one succeeds, starting with `preferredNodeId` if it has capacity. */
  async #onNode<Reply>(
    participant: Participant,
    preferredNodeId: string | undefined,
    request: (client: MediaClient, others: readonly RoomNode[], nodeId: MediaNodeId) => Promise<Reply>,
  ): Promise<{ node: RoomNode; reply: Reply }> {
    let last: unknown;
    const refused = new Set<string>();
    for (let tries = 0; tries < maxNodeAttempts; tries += 1) {
      const { node, others } = await this.#place(participant, refused, preferredNodeId);
      try {
        return { node, reply: await request(this.#nodes.client(node), others, node.nodeId) };
      } catch (error) {
        last = error;
        const passing = isAppError(error) && (error.kind === 'unavailable' || error.code === 'node_draining');
        if (!passing) throw error;
        refused.add(node.nodeId);
        await this.#leave(participant.roomId, node.nodeId, participant.id);
        if (error.code !== 'node_draining') await this.#nodes.suspect(node.nodeId);
      }
    }
    throw mediaUnavailable(last);
  }

  /** Returns the client of a participant's node. @throws participant_unknown, media_unavailable */
  async of({ nodeId }: Participant): Promise<MediaClient> {
    if (nodeId === '') throw participantUnknown();
    // Heartbeats give its address. A participant who was asked to move stays on the node until then.
    const node = this.#nodes.find(nodeId);
    if (!node) throw mediaUnavailable();
    return this.#nodes.client(node);
  }

  /** Calls the node of a participant. Does nothing if it is unreachable. */
  async callIfReachable(participant: Participant, what: (client: MediaClient) => Promise<unknown>): Promise<void> {
    if (participant.nodeId === '') return;
    try {
      await what(await this.of(participant));
    } catch (error) {
      if (isAppError(error) && error.kind === 'internal') throw error;
      this.#log.debug({ err: error, nodeId: participant.nodeId }, 'notifying a media node failed');
    }
  }

  /** Closes a room on its nodes, unless someone is in it. */
  async closeRoom(roomId: RoomId): Promise<void> {
    for (const node of await this.#rooms.takeNodes(roomId)) {
      await this.#nodes
        .client(node)
        .closeRoom({ roomId })
        .catch((error: unknown) => this.#log.debug({ err: error }, 'closing a room on its media node failed'));
    }
  }

  /** Finds a node that has capacity and has not refused yet, and the room's other nodes. */
  async #place(
    { roomId, id }: Participant,
    refused: ReadonlySet<string>,
    preferredNodeId: string | undefined,
  ): Promise<{ node: RoomNode; others: RoomNode[] }> {
    const [listed, inside] = await Promise.all([this.#rooms.nodes(roomId), this.#rooms.inside(roomId)]);
    let list = listed;
    const dead = list.filter(({ nodeId }) => this.#nodes.isGone(nodeId));
    for (const { nodeId } of dead) await this.#leave(roomId, nodeId, id);
    if (dead.length > 0) list = await this.#rooms.nodes(roomId);
    const available = this.#nodes.available().filter(({ nodeId }) => !refused.has(nodeId));
    const takes = (node: RoomNode) => available.some(({ nodeId }) => nodeId === node.nodeId);
    list = list.filter(({ nodeId }) => this.#nodes.isAlive(nodeId));
    const carried = new Map<string, number>();
    for (const one of inside) {
      if (one.id !== id && one.nodeId !== '') carried.set(one.nodeId, (carried.get(one.nodeId) ?? 0) + 1);
    }
    const count = (node: RoomNode) => carried.get(node.nodeId) ?? 0;
    const open = list.filter(takes).sort((a, b) => count(a) - count(b));
    const free = open.filter((one) => count(one) < this.#peersPerNode);
    let node = free.find(({ nodeId }) => nodeId === preferredNodeId) ?? free[0];
    if (!node) {
      const fresh = available.find(({ nodeId }) => !list.some((one) => one.nodeId === nodeId));
      if (fresh) {
        const added = { nodeId: fresh.nodeId, address: fresh.rpcAddress };
        // If someone else added a node at the same moment, both use the resulting list.
        const now = await this.#rooms.addNode(roomId, added, list.length);
        list = now.filter(({ nodeId }) => this.#nodes.isAlive(nodeId));
        node = list.find(({ nodeId }) => nodeId === added.nodeId) ?? list.find(takes);
      }
      // All nodes are full and there is no other, so the least full one takes one more.
      node ??= open[0];
    }
    if (!node) throw mediaUnavailable();
    return { node, others: list.filter(({ nodeId }) => nodeId !== node.nodeId) };
  }
}
