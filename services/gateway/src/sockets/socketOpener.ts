import { closeCodes } from '@nolo/api';
import type { ConnectionLeases } from '@nolo/kit/delivery';
import type { VisibleSessions } from '@nolo/kit/visibleSessions';
import type { RawData, WebSocket } from 'ws';
import type { GatewayContext } from '../gatewayContext.ts';
import type { Connection } from './Connection.ts';
import { pingIntervalMs, type Heartbeat } from './heartbeat.ts';
import type { ConnectionRegistry } from './connections.ts';
import type { FrameSender } from './send.ts';
import type { TypingTracker } from './typing.ts';
import type { ParticipantTracker } from './participantTracker.ts';
import type { FrameReceiver } from './frameReceiver.ts';

/**
 * Close codes with their own metric label. Clients may send any of thousands; those that we define and the common ones
 * are distinguished.
 */
const standardCloseCodes = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011];
const labelledCodes: ReadonlySet<number> = new Set([...Object.values(closeCodes), ...standardCloseCodes]);
const codeLabel = (code: number) => (labelledCodes.has(code) ? String(code) : 'other');

/** Dependencies of a socket from opening to closing. */
export interface SocketOpenerDependencies {
  gateway: GatewayContext;
  connections: ConnectionRegistry;
  leases: ConnectionLeases;
  watches: VisibleSessions;
  sending: FrameSender;
  heartbeat: Heartbeat;
  typing: TypingTracker;
  participants: ParticipantTracker;
  receive: FrameReceiver;
  /** Runs work whose failure must not close a socket. */
  quietly(work: Promise<unknown>, what: string): void;
}

/** Opens sockets: attaches their frame handlers and cleans up after each closes. */
export function createSocketOpener(dependencies: SocketOpenerDependencies) {
  const { connections, leases, watches, sending, heartbeat, typing, participants, receive, quietly } = dependencies;
  const { identity, metrics, announcementBoard } = dependencies.gateway;

  /** Reports the current state to identity, not the state when the wait began. */
  const report = (userId: string) => {
    const connected = connections.of(userId).length > 0;
    quietly(identity.reportConnection({ userId, connected }), 'reporting a connection failed');
  };

  // Shared handlers find their socket in `this`, which saves four closures per socket. Their types know only the base
  // class, but every socket here is a Connection.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    void receive.frame(this as Connection, data, isBinary);
  }
  function onPing(this: WebSocket, data: Buffer): void {
    if (receive.mayPing(this as Connection, data.length)) this.pong(data);
  }
  function onPong(this: WebSocket): void {
    (this as Connection).missedPings = 0;
  }
  // ws closes the socket itself with the code for the frame's error.
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
    quietly(forget(), 'releasing a lease failed');
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
    // The client fetches what it missed after `hello`, so later frames must already reach this socket.
    const first = await leases.add(userId);
    const announcements = connection.guest ? [] : announcementBoard.current();
    const announcementFields = announcements.length > 0 && { announcements };
    sending.send(connection, { type: 'hello', data: { userId, sessionId, pingIntervalMs, ...announcementFields } });
    connection.ready = connection.readyState === connection.OPEN;
    // Guests have no presence.
    if (first && !connection.guest) report(userId);
  };

  return { open };
}
