import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Bus } from '@nolo/kit/bus';
import type { ConnectionLeases } from '@nolo/kit/delivery';
import type { Redis } from '@nolo/kit/redis';
import type { VisibleSessions } from '@nolo/kit/visibleSessions';
import { limits, socketLimits } from '@nolo/rules';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { GatewayContext } from '../gatewayContext.ts';
import type { ImportSockets } from '../imports/importSockets.ts';
import { createGatewayError } from '../errors.ts';
import { toPublicConfig } from '../mapping/publicConfig.ts';
import { opensEnvelopes } from '../http/contentForm.ts';
import { Connection } from './Connection.ts';
import { createConnectionRegistry } from './connections.ts';
import { subscribeDeliveries } from './deliver.ts';
import { createReceiptCursorBatcher } from './receiptCursorBatcher.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createParticipantTracker } from './participantTracker.ts';
import { createFrameBudget } from './frameBudget.ts';
import { createFrameReceiver } from './frameReceiver.ts';
import { startMissedFrameResync } from './missedFrameResync.ts';
import { createFrameSender } from './send.ts';
import { watchSessions } from './sessionWatch.ts';
import { createTypingTracker } from './typing.ts';
import { createSocketAdmission, runUpgradeOrRefuse, refuseUpgrade } from './upgrade.ts';
import { drainSockets } from './drainSockets.ts';
import { createSocketOpener } from './socketOpener.ts';

export interface SocketServer {
  /**
   * Accepts no more sockets and closes the open ones so that clients reconnect elsewhere: more slowly the more there
   * are, so they do not all return at once, but within `maxDrainMs`.
   */
  stop(maxDrainMs: number): Promise<void>;
}

/** Notifies when an operator changes a setting that clients receive. */
function onConfigChange(gateway: GatewayContext, notify: () => void): void {
  let lastConfig = JSON.stringify(toPublicConfig(gateway));
  const notifyIfChanged = () => {
    const config = JSON.stringify(toPublicConfig(gateway));
    if (config === lastConfig) return;
    lastConfig = config;
    notify();
  };
  gateway.settings.onChange(notifyIfChanged);
  gateway.barredHosts.onChange(notifyIfChanged);
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
  createGatewayError('rate_limited', 'rate_limited', 'This account has too many open connections.', undefined, {
    retryAfterMs: 60_000,
  });

export function createSocketServer(
  server: Server,
  gateway: GatewayContext,
  dependencies: { bus: Bus; leases: ConnectionLeases; watches: VisibleSessions; redis: Redis; imports: ImportSockets },
): SocketServer {
  const { identity, chat, groups, rooms, calls, metrics, log, clock } = gateway;
  const replicaId = gateway.config.REPLICA_ID;
  const { bus, leases, watches, redis, imports } = dependencies;
  const connections = createConnectionRegistry();
  const sending = createFrameSender(metrics);
  const heartbeat = createHeartbeat();
  const quietly = (work: Promise<unknown>, what: string) => {
    work.catch((error: unknown) => log.warn({ err: error }, what));
  };
  const typing = createTypingTracker({
    clock,
    onEnded: (actorId, conversationId) =>
      quietly(chat.setTyping({ actorId, conversationId, typing: false }), 'broadcasting the end of typing failed'),
  });
  const cursors = createReceiptCursorBatcher(chat);
  const participants = createParticipantTracker({ rooms, gatewayId: replicaId, sending, log });
  const context = {
    identity,
    chat,
    groups,
    limits: gateway.limits,
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
  const receive = createFrameReceiver({ context, sending, budget, metrics, log });
  const admit = createSocketAdmission(gateway);
  const endDeliveries = subscribeDeliveries({ bus, replicaId, leases, connections, participants, sending, metrics });
  gateway.announcementBoard.onChange((announcements) => {
    const people = [...connections.all()].filter(({ guest }) => !guest);
    sending.broadcast(people, sending.frame('announcements', { announcements }));
  });
  onConfigChange(gateway, () => sending.broadcast([...connections.all()], sending.frame('config_changed', {})));
  const sessionWatch = watchSessions({ bus, identity, connections, sending, log });
  const resync = startMissedFrameResync({ bus, redis, leases, connections, sending, metrics, log });
  const { open } = createSocketOpener({
    gateway,
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
      refuseUpgrade(
        socket,
        createGatewayError('unavailable', 'draining', 'This server is shutting down. Connect again.'),
      );
    if (draining) return refuseDraining();
    if (imports.takes(request)) {
      await runUpgradeOrRefuse(gateway, { request, socket }, () => imports.upgrade(request, socket, head));
      return;
    }
    const actor = await runUpgradeOrRefuse(gateway, { request, socket }, (requestId) => admit(request, requestId));
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
      connection.address = gateway.addressOf(request);
      connection.opensEnvelopes = opensEnvelopes(request);
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

  const stop = async (maxDrainMs: number) => {
    draining = true;
    await drainSockets(connections, maxDrainMs);
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
  return { stop: (maxDrainMs) => (stopping ??= stop(maxDrainMs)) };
}
