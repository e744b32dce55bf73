import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodes } from '@nolo/api';
import type { Bus } from '@nolo/kit/bus';
import type { Leases } from '@nolo/kit/delivery';
import type { Redis } from '@nolo/kit/redis';
import type { Watches } from '@nolo/kit/watches';
import { limits, socketLimits } from '@nolo/rules';
import { WebSocketServer, type RawData, type ServerOptions, type WebSocket } from 'ws';
import { drainSpreadMs } from '../domain/drainSpread.ts';
import type { Edge } from '../edge.ts';
import type { ImportSockets } from '../imports/importSockets.ts';
import { failGateway } from '../errors.ts';
import { Connection } from './Connection.ts';
import { createConnections } from './connections.ts';
import { subscribeDeliveries } from './deliver.ts';
import { createCursorGatherer } from './cursors.ts';
import { createHeartbeat, pingIntervalMs } from './heartbeat.ts';
import { createParticipants } from './participants.ts';
import { createFrameBudget } from './frameBudget.ts';
import { createReceive } from './receive.ts';
import { resyncMissed } from './resync.ts';
import { createSending } from './send.ts';
import { watchSessions } from './sessionWatch.ts';
import { createTyping } from './typing.ts';
import { createAdmission, orRefuse, refuseUpgrade } from './upgrade.ts';

export interface SocketServer {
  /**
   * Takes no more sockets and sends those there are elsewhere: the more there are the more slowly, so that they do not all
   * come back at once, but within `mostMs`.
   */
  stop(mostMs: number): Promise<void>;
}

const closeTimeoutMs = 5_000;
const drainStepMs = 50;

/** A client may close with any of thousands of codes; those that mean something here, and the usual ones, are told apart. */
const usualCodes = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011];
const toldApart: ReadonlySet<number> = new Set([...Object.values(closeCodes), ...usualCodes]);
const codeLabel = (code: number) => (toldApart.has(code) ? String(code) : 'other');

const tooManyOpen = () =>
  failGateway('rate_limited', 'rate_limited', 'This account has too many open connections.', undefined, {
    retryAfterMs: 60_000,
  });

export function createSocketServer(
  server: Server,
  edge: Edge,
  parts: { bus: Bus; leases: Leases; watches: Watches; redis: Redis; imports: ImportSockets },
): SocketServer {
  const { identity, chat, groups, rooms, calls, metrics, log, clock } = edge;
  const replicaId = edge.config.REPLICA_ID;
  const { bus, leases, watches, redis, imports } = parts;
  const connections = createConnections();
  const sending = createSending(metrics);
  const heartbeat = createHeartbeat();
  const quietly = (work: Promise<unknown>, what: string) => {
    work.catch((error: unknown) => log.warn({ err: error }, what));
  };
  const typing = createTyping({
    clock,
    onEnded: (actorId, conversationId) =>
      quietly(chat.setTyping({ actorId, conversationId, typing: false }), 'the end of typing could not be told'),
  });
  const cursors = createCursorGatherer(chat);
  const participants = createParticipants({ rooms, gatewayId: replicaId, sending, log });
  const context = {
    identity,
    chat,
    groups,
    limits: edge.limits,
    rooms,
    calls,
    typing,
    watches,
    cursors,
    participants,
    metrics,
    replicaId,
  };
  const budget = createFrameBudget();
  const receive = createReceive({ context, sending, budget, metrics, log });
  const admit = createAdmission(edge);
  const endDeliveries = subscribeDeliveries({ bus, replicaId, leases, connections, participants, sending, metrics });
  const sessionWatch = watchSessions({ bus, identity, connections, sending, log });
  const resync = resyncMissed({ bus, redis, leases, connections, sending, metrics, log });
  let draining = false;

  // The types lag behind: closeTimeout is how long a closing socket may take to agree, and maxBufferedChunks is how many
  // pieces of a frame may lie here before the rest of it comes.
  const socketOptions: ServerOptions<typeof Connection> & { closeTimeout: number; maxBufferedChunks: number } = {
    noServer: true,
    WebSocket: Connection,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.socketFrameBytes,
    // Browsers send even the largest frame whole or in few pieces.
    maxFragments: 32,
    maxBufferedChunks: 4_096,
    autoPong: false,
    closeTimeout: closeTimeoutMs,
  };
  const sockets = new WebSocketServer(socketOptions);

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
    sending.send(connection, { type: 'hello', data: { userId, sessionId, pingIntervalMs } });
    connection.ready = connection.readyState === connection.OPEN;
    // Nobody asks where a guest is.
    if (first && !connection.guest) report(userId);
  };

  const ignore = () => undefined;
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until ws takes over, a connection that breaks has nobody else to tell.
    socket.on('error', ignore);
    const refuseDraining = () =>
      refuseUpgrade(socket, failGateway('unavailable', 'draining', 'This server is going down; connect again.'));
    if (draining) return refuseDraining();
    if (imports.takes(request)) {
      await orRefuse(edge, socket, () => imports.upgrade(request, socket, head));
      return;
    }
    const actor = await orRefuse(edge, socket, (requestId) => admit(request, requestId));
    if (!actor || socket.destroyed) return;
    if (draining) return refuseDraining();
    // Nothing is waited for from here until the socket is counted, so that none comes in between.
    if (connections.of(actor.userId).length >= socketLimits.openPerUser) {
      metrics.rateLimited.inc({ limit: 'openSockets' });
      return refuseUpgrade(socket, tooManyOpen());
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      socket.off('error', ignore);
      connection.userId = actor.userId;
      connection.sessionId = actor.sessionId;
      connection.guestOf = actor.guestOf;
      connection.address = edge.addressOf(request);
      quietly(open(connection), 'a socket could not be opened');
    });
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'an upgrade failed');
      socket.destroy();
    });
  };
  server.on('upgrade', onUpgrade);

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  /** What was asked of a socket that is being closed may take a moment to be agreed to. */
  const goodbyeMs = 1_000;

  const stop = async (mostMs: number) => {
    draining = true;
    const all = [...connections.all()];
    const steps = Math.ceil(drainSpreadMs(all.length, mostMs) / drainStepMs);
    for (let step = 0; step <= steps; step += 1) {
      const share = (at: number) => Math.floor((all.length * at) / (steps + 1));
      const leaving = all.slice(share(step), share(step + 1));
      for (const connection of leaving) connection.close(closeCodes.draining, 'draining');
      if (step < steps) await pause(drainStepMs);
    }
    for (let waited = 0; connections.size > 0 && waited < goodbyeMs; waited += 50) await pause(50);
    for (const connection of connections.all()) connection.terminate();
    resync.stop();
    sessionWatch.stop();
    endDeliveries();
    heartbeat.stop();
    typing.stop();
    budget.stop();
    await cursors.stop();
    await participants.stop();
    server.off('upgrade', onUpgrade);
    sockets.close();
    await leases.stop();
  };
  let stopping: Promise<void> | undefined;
  return { stop: (mostMs) => (stopping ??= stop(mostMs)) };
}
