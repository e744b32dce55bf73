import type { RoomId } from '@nolo/kit/ids';
import { mediaNotFound, nodeDraining } from '../errors.ts';
import type { Peer } from './Peer.ts';
import { Room, type JoinOptions, type RoomHost } from './Room.ts';

/** Every room of this node, by the id that meetings gave it. */
export class Rooms {
  readonly #host: Omit<RoomHost, 'closed' | 'searched'>;
  readonly #rooms = new Map<string, Room>();
  /** Transports whose clients found their way here, and those whose clients did not. */
  readonly paths = { found: 0, missing: 0 };
  #draining = false;
  #isAlone = () => false;

  constructor(host: Omit<RoomHost, 'closed' | 'searched'>) {
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

  /** Takes no new rooms from now on, unless there is nobody else to take them. */
  drain(isAlone: () => boolean): void {
    this.#draining = true;
    this.#isAlone = isAlone;
  }

  /** Whether somebody is carried who would miss this node. */
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

  /** As `peer`, where it is the client itself that asks. */
  speakingPeer(roomId: string, participantId: string): Peer {
    const peer = this.peer(roomId, participantId);
    peer.release();
    return peer;
  }

  join(roomId: RoomId, options: JoinOptions): ReturnType<Room['join']> {
    let room = this.#rooms.get(roomId);
    if (!room) {
      if (this.#draining && !this.#isAlone()) throw nodeDraining();
      room = new Room(roomId, {
        ...this.#host,
        searched: (found) => void (this.paths[found ? 'found' : 'missing'] += 1),
        closed: (closed) => this.#forget(closed),
      });
      this.#rooms.set(roomId, room);
    }
    return room.join(options);
  }

  closeAll(): void {
    for (const room of this.#rooms.values()) room.close();
  }

  #forget(room: Room): void {
    if (this.#rooms.get(room.id) === room) this.#rooms.delete(room.id);
  }
}
