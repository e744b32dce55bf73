import { closeCodes } from '@nolo/api';
import type { Leases } from '@nolo/kit/delivery';
import type { Watches } from '@nolo/kit/watches';
import type { RawData, WebSocket } from 'ws';
import type { Edge } from '../edge.ts';
import type { Connection } from './Connection.ts';
import { pingIntervalMs, type Heartbeat } from './heartbeat.ts';
import type { Connections } from './connections.ts';
import type { Sending } from './send.ts';
import type { Typing } from './typing.ts';
import type { Participants } from './participants.ts';
import type { Receive } from './receive.ts';

/** A client may close with any of thousands of codes; those that mean something here, and the usual ones, are told apart. */
const usualCodes = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011];
const toldApart: ReadonlySet<number> = new Set([...Object.values(closeCodes), ...usualCodes]);
const codeLabel = (code: number) => (toldApart.has(code) ? String(code) : 'other');

/** What a socket needs from when it opens until it is closed. */
export interface SocketLifeParts {
  edge: Edge;
  connections: Connections;
  leases: Leases;
  watches: Watches;
  sending: Sending;
  heartbeat: Heartbeat;
  typing: Typing;
  participants: Participants;
  receive: Receive;
  /** For work whose failure is no reason to close a socket. */
  quietly(work: Promise<unknown>, what: string): void;
}

/** Opens sockets: ties them to what hears their frames, and cleans up after each when it has closed. */
export function createSocketLife(parts: SocketLifeParts) {
  const { connections, leases, watches, sending, heartbeat, typing, participants, receive, quietly } = parts;
  const { identity, metrics, bulletinBoard } = parts.edge;

  /** Tells identity what is so now, not what was so when the waiting began. */
  const report = (userId: string) => {
    const connected = connections.of(userId).length > 0;
    quietly(identity.reportConnection({ userId, connected }), 'a connection could not be reported');
  };

  // The handlers are made once and find their socket in `this`, which spares every socket four closures.
  // Their types know the base class only; every socket here was made as a Connection.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    void receive.frame(this as Connection, data, isBinary);
  }
  function onPing(this: WebSocket, data: Buffer): void {
    if (receive.mayPing(this as Connection, data.length)) this.pong(data);
  }
  function onPong(this: WebSocket): void {
    (this as Connection).missedPings = 0;
  }
  // ws closes the socket itself, with the code that fits what was wrong with the frame.
  function onError(this: WebSocket): void {
    (this as Connection).ready = false;
  }
  function onClose(this: WebSocket, code: number): void {
    const connection = this as Connection;
    const { userId } = connection;
    connection.ready = false;
    connections.remove(connection);
    heartbeat.remove(connection);
    typing.endAll(connection);
    participants.lose(connection);
    if (connection.watched) void watches.end(connection.sessionId);
    metrics.sockets.set(connections.size);
    metrics.socketsClosed.inc({ code: codeLabel(code) });
    const forget = async () => {
      if ((await leases.remove(userId)) && !connection.guest) report(userId);
    };
    quietly(forget(), 'a lease could not be given up');
  }

  const open = async (connection: Connection) => {
    connection.filledAt = performance.now();
    connection.on('message', onMessage);
    connection.on('ping', onPing);
    connection.on('pong', onPong);
    connection.on('error', onError);
    connection.on('close', onClose);
    connections.add(connection);
    heartbeat.add(connection);
    metrics.sockets.set(connections.size);
    const { userId, sessionId } = connection;
    // After hello the client asks for what it missed; whatever comes later must already find its way here.
    const first = await leases.add(userId);
    const announcements = connection.guest ? [] : bulletinBoard.current();
    const told = announcements.length > 0 && { announcements };
    sending.send(connection, { type: 'hello', data: { userId, sessionId, pingIntervalMs, ...told } });
    connection.ready = connection.readyState === connection.OPEN;
    // Nobody asks where a guest is.
    if (first && !connection.guest) report(userId);
  };

  return { open };
}
