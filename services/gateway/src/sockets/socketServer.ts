import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Bus } from '@nolo/kit/bus';
import type { Leases } from '@nolo/kit/delivery';
import type { Redis } from '@nolo/kit/redis';
import type { Watches } from '@nolo/kit/watches';
import { limits, socketLimits } from '@nolo/rules';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { Edge } from '../edge.ts';
import type { ImportSockets } from '../imports/importSockets.ts';
import { failGateway } from '../errors.ts';
import { configOf } from '../routes/system.ts';
import { Connection } from './Connection.ts';
import { createConnections } from './connections.ts';
import { subscribeDeliveries } from './deliver.ts';
import { createCursorGatherer } from './cursors.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createParticipants } from './participants.ts';
import { createFrameBudget } from './frameBudget.ts';
import { createReceive } from './receive.ts';
import { resyncMissed } from './resync.ts';
import { createSending } from './send.ts';
import { watchSessions } from './sessionWatch.ts';
import { createTyping } from './typing.ts';
import { createAdmission, orRefuse, refuseUpgrade } from './upgrade.ts';
import { drainSockets } from './drainSockets.ts';
import { createSocketLife } from './socketLife.ts';

export interface SocketServer {
  /**
   * Accepts no more sockets and closes the open ones so that clients reconnect elsewhere: more slowly the more there
   * are, so they do not all return at once, but within `mostMs`.
   */
  stop(mostMs: number): Promise<void>;
}

/** Notifies when an operator changes a setting that clients receive. */
function onConfigChange(edge: Edge, tell: () => void): void {
  let told = JSON.stringify(configOf(edge));
  const look = () => {
    const config = JSON.stringify(configOf(edge));
    if (config === told) return;
    told = config;
    tell();
  };
  edge.settings.onChange(look);
  edge.barredHosts.onChange(look);
}

const closeTimeoutMs = 5_000;
// The types are outdated: closeTimeout limits how long a closing socket may take to confirm, and maxBufferedChunks
// limits the buffered pieces of an incomplete frame.
const socketOptions: ServerOptions<typeof Connection> & { closeTimeout: number; maxBufferedChunks: number } = {
  noServer: true,
  WebSocket: Connection,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: limits.socketFrameBytes,
  // Browsers send even the largest frame whole or in few fragments.
  maxFragments: 32,
  maxBufferedChunks: 4_096,
  autoPong: false,
  closeTimeout: closeTimeoutMs,
};

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
      quietly(chat.setTyping({ actorId, conversationId, typing: false }), 'broadcasting the end of typing failed'),
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
  edge.bulletinBoard.onChange((announcements) => {
    const people = [...connections.all()].filter(({ guest }) => !guest);
    sending.broadcast(people, sending.frame('announcements', { announcements }));
  });
  onConfigChange(edge, () => sending.broadcast([...connections.all()], sending.frame('config_changed', {})));
  const sessionWatch = watchSessions({ bus, identity, connections, sending, log });
  const resync = resyncMissed({ bus, redis, leases, connections, sending, metrics, log });
  const { open } = createSocketLife({
    edge,
    connections,
    leases,
    watches,
    sending,
    heartbeat,
    typing,
    participants,
    receive,
    quietly,
  });
  let draining = false;

  const sockets = new WebSocketServer(socketOptions);

  const ignore = () => undefined;
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Handles connection errors until ws takes over.
    socket.on('error', ignore);
    const refuseDraining = () =>
      refuseUpgrade(socket, failGateway('unavailable', 'draining', 'This server is shutting down. Connect again.'));
    if (draining) return refuseDraining();
    if (imports.takes(request)) {
      await orRefuse(edge, { request, socket }, () => imports.upgrade(request, socket, head));
      return;
    }
    const actor = await orRefuse(edge, { request, socket }, (requestId) => admit(request, requestId));
    if (!actor || socket.destroyed) return;
    if (draining) return refuseDraining();
    // The code below does not await until the socket is counted, so no other socket can slip in.
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
      quietly(open(connection), 'opening a socket failed');
    });
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'socket upgrade failed');
      socket.destroy();
    });
  };
  server.on('upgrade', onUpgrade);

  const stop = async (mostMs: number) => {
    draining = true;
    await drainSockets(connections, mostMs);
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
