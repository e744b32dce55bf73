import type { RoomId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { mediaLimitReached, mediaNotFound, nodeDraining } from '../errors.ts';
import type { Peer } from './Peer.ts';
import { Room, type JoinOptions, type RoomNodeContext } from './Room.ts';
import type { PreparedTransports } from './PreparedTransports.ts';

/** Maximum participants with prepared transports, two each. Beyond it people join without preparation. */
const maxPreparedTransports = 1_000;

/** All rooms of this node, by the ID that meetings assigned. */
export class Rooms {
  readonly #host: Omit<RoomNodeContext, 'closed' | 'searched' | 'recordPreparedTransports'>;
  readonly #rooms = new Map<string, Room>();
  /** Transports whose clients did and did not find a path here. */
  readonly paths = { found: 0, missing: 0 };
  /** Prepared transports that were used, and those that were not. */
  readonly outcomes = { taken: 0, unused: 0 };
  #draining = false;
  #isAlone = () => false;

  constructor(host: Omit<RoomNodeContext, 'closed' | 'searched' | 'recordPreparedTransports'>) {
    this.#host = host;
  }

  get draining(): boolean {
    return this.#draining;
  }

  get size(): number {
    return this.#rooms.size;
  }

  [Symbol.iterator](): Iterator<Room> {
    return this.#rooms.values();
  }

  *peers(): Generator<Peer> {
    for (const room of this.#rooms.values()) yield* room.peers.values();
  }

  /** Refuses new rooms, unless no other node can take them. */
  drain(isAlone: () => boolean): void {
    this.#draining = true;
    this.#isAlone = isAlone;
  }

  /** True if the node still serves people who are present. */
  get isMissed(): boolean {
    for (const peer of this.peers()) if (peer.isPresent) return true;
    return false;
  }

  find(roomId: string): Room | undefined {
    return this.#rooms.get(roomId);
  }

  room(roomId: string): Room {
    const room = this.#rooms.get(roomId);
    if (!room) throw mediaNotFound();
    return room;
  }

  peer(roomId: string, participantId: string): Peer {
    const peer = this.#rooms.get(roomId)?.peers.get(participantId);
    if (!peer) throw mediaNotFound();
    return peer;
  }

  /** Equals `peer`, for requests from the client itself. */
  speakingPeer(roomId: string, participantId: string): Peer {
    const peer = this.peer(roomId, participantId);
    peer.release();
    return peer;
  }

  join(roomId: RoomId, options: JoinOptions): ReturnType<Room['join']> {
    return this.#roomFor(roomId).join(options);
  }

  /** Prepares transports. Limited to a person's number of devices per room, and to what the node can handle. */
  async reserve(roomId: RoomId, options: Parameters<Room['reserve']>[0]): Promise<PreparedTransports> {
    // People who join here would have to move at once.
    if (this.#draining && !this.#isAlone()) throw nodeDraining();
    if (this.preparedTransports >= maxPreparedTransports) throw mediaLimitReached('seats', maxPreparedTransports);
    const preparedTransports = await this.#roomFor(roomId).reserve(options);
    const own = [...this.#rooms.values()].flatMap((room) => room.preparedTransports.of(options.userId));
    own.sort((a, b) => a.reservedAt - b.reservedAt);
    for (const oldest of own.slice(0, -limits.devicesPerPerson)) oldest.close();
    return preparedTransports;
  }

  /** Number of prepared sets of transports. */
  get preparedTransports(): number {
    let sum = 0;
    for (const { preparedTransports } of this.#rooms.values()) sum += preparedTransports.size;
    return sum;
  }

  closeAll(): void {
    for (const room of this.#rooms.values()) room.close();
  }

  #roomFor(roomId: RoomId): Room {
    let room = this.#rooms.get(roomId);
    if (!room) {
      if (this.#draining && !this.#isAlone()) throw nodeDraining();
      room = new Room(roomId, {
        ...this.#host,
        searched: (found) => void (this.paths[found ? 'found' : 'missing'] += 1),
        recordPreparedTransports: (outcome) => void (this.outcomes[outcome] += 1),
        closed: (closed) => this.#forget(closed),
      });
      this.#rooms.set(roomId, room);
    }
    return room;
  }

  #forget(room: Room): void {
    if (this.#rooms.get(room.id) === room) this.#rooms.delete(room.id);
  }
}
