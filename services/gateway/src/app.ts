import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectBus, type Bus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { createDelivery, createLeases, type Leases } from '@nolo/kit/delivery';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createClient } from '@nolo/kit/rpc';
import { createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { CallServiceService } from '@nolo/proto/calls';
import { ChatServiceService } from '@nolo/proto/chat';
import { FilesServiceService } from '@nolo/proto/files';
import { GroupServiceService } from '@nolo/proto/groups';
import { IdentityServiceService } from '@nolo/proto/identity';
import { MarkServiceService } from '@nolo/proto/marks';
import { MeetingServiceService } from '@nolo/proto/meetings';
import { RoomServiceService } from '@nolo/proto/rooms';
import { SecurityServiceService } from '@nolo/proto/security';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { TranscriberServiceService } from '@nolo/proto/transcriber';
import { listensOnLoopback, type Config } from './config.ts';
import { clientAddress } from './domain/clientAddress.ts';
import { allowedOrigins } from './domain/origins.ts';
import type { Edge } from './edge.ts';
import { createDrain } from './http/drain.ts';
import { createHealthCheck, readiness } from './http/health.ts';
import { createHttpApp } from './http/httpApp.ts';
import { createEdgeLimits } from './http/limits.ts';
import { createMetrics } from './http/metrics.ts';
import { createSessions } from './http/session.ts';
import { createSessionCache } from './http/sessionCache.ts';
import { isWebPort } from './domain/linkAddress.ts';
import { createFetchFile } from './imports/fetchFile.ts';
import { createImportOrders } from './imports/importOrders.ts';
import { createImportSockets } from './imports/importSockets.ts';
import { isForeignPublicAddress } from './links/isForeignPublicAddress.ts';
import { createLinkPreviews, type LinkPreviewOptions } from './links/linkPreviews.ts';
import { resolveHost } from './links/resolveHost.ts';
import { createProvider } from './signIn/provider.ts';
import { createSocketServer } from './sockets/socketServer.ts';

export interface GatewayDeps {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Holds replies against their contracts; for tests. */
  validateReplies?: boolean;
  /** Where links may lead, for tests that have servers of their own; nothing of the environment reaches this. */
  links?: LinkPreviewOptions;
}

/** Links lead to the public internet and nowhere else. */
const publicLinks: LinkPreviewOptions = {
  guard: { resolveHost, addressAllowed: isForeignPublicAddress, portAllowed: isWebPort },
};

export interface GatewayApp {
  /** Answers with the ports, which may have been asked for as 0. */
  start(): Promise<{ http: number; metrics: number }>;
  /** Idempotent. Takes no more requests, finishes those under way, sends sockets elsewhere, lets go of everything. */
  stop(): Promise<void>;
}

/** What requests under way have to finish once the last socket is gone. */
const leastFinishMs = 1_000;

export function createApp({
  config,
  log,
  clock = systemClock,
  validateReplies = false,
  links = publicLinks,
}: GatewayDeps): GatewayApp {
  const stops = createStopStack(log);

  const start = async () => {
    const registry = createRegistry('gateway');
    const metrics = createMetrics(registry);
    const redis: Redis = await connectRedis({
      url: config.REDIS_URL,
      prefix: config.REDIS_PREFIX,
      log,
      metrics: registry,
    });
    stops.push('redis', () => closeRedis(redis));
    const bus: Bus = await connectBus({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      name: 'gateway',
      log,
      metrics: registry,
    });
    stops.push('bus', () => bus.close());
    const rpc = { secret: config.RPC_SECRET, metrics: registry };
    const identity = createClient(IdentityServiceService, config.IDENTITY_ADDR, rpc);
    const security = createClient(SecurityServiceService, config.IDENTITY_ADDR, rpc);
    const chat = createClient(ChatServiceService, config.CHAT_ADDR, rpc);
    const groups = createClient(GroupServiceService, config.CHAT_ADDR, rpc);
    const marks = createClient(MarkServiceService, config.CHAT_ADDR, rpc);
    const files = createClient(FilesServiceService, config.FILES_ADDR, rpc);
    const sharedFiles = createClient(SharedFileServiceService, config.FILES_ADDR, rpc);
    const meetings = createClient(MeetingServiceService, config.MEETINGS_ADDR, rpc);
    const rooms = createClient(RoomServiceService, config.MEETINGS_ADDR, rpc);
    const calls = createClient(CallServiceService, config.MEETINGS_ADDR, rpc);
    const transcriber =
      config.TRANSCRIBER_ADDR && createClient(TranscriberServiceService, config.TRANSCRIBER_ADDR, rpc);
    stops.push('clients', () => {
      const services = [
        identity,
        security,
        chat,
        groups,
        marks,
        files,
        sharedFiles,
        meetings,
        rooms,
        calls,
        transcriber,
      ];
      for (const client of services) client?.close();
    });
    const sessionCache = createSessionCache({ clock });
    stops.push('session notices', sessionCache.follow(bus));
    const leases: Leases = createLeases({ redis, replicaId: config.REPLICA_ID, log });
    stops.push('leases', () => leases.stop());

    const server = createServer({
      keepAliveTimeout: 65_000,
      // An upload takes as long as it goes on; see bodyDeadline. What comes before a body has little time as ever.
      requestTimeout: 0,
      headersTimeout: 60_000,
      // Whoever offers another protocol (h2c, as some HTTP clients do with each request) is answered as if they had not.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    });
    const drain = createDrain(server);
    server.listen(config.PORT, config.HOST);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`;
    const secure = publicUrl.startsWith('https:');
    if (config.demo && !listensOnLoopback(config.HOST)) {
      log.warn(
        { host: config.HOST },
        'DEMO MODE IS REACHABLE FROM THE NETWORK: anyone who reaches this machine can sign in as anyone with the demo code.',
      );
    }
    const provider = createProvider(config, log, clock);
    const edge: Edge = {
      config,
      publicUrl,
      origins: allowedOrigins(publicUrl, config.demo, port),
      addressOf: ({ socket, headers }) =>
        clientAddress(socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      log,
      clock,
      identity,
      security,
      chat,
      groups,
      marks,
      files,
      sharedFiles,
      meetings,
      rooms,
      calls,
      transcriber,
      delivery: createDelivery({ redis, bus, log }),
      limits: createEdgeLimits({ redis, demo: config.demo, clock }),
      sessions: createSessions({ identity, cache: sessionCache, clock, secure, name: config.SESSION_COOKIE }),
      metrics,
      linkPreviews: config.LINK_PREVIEWS ? createLinkPreviews(links) : undefined,
      imports: config.LINK_IMPORTS
        ? {
            fetchFile: createFetchFile(links.guard),
            orders: createImportOrders(redis),
            portAllowed: links.guard.portAllowed,
          }
        : undefined,
      validateReplies,
    };
    const health = createHealthCheck({
      identity,
      chat,
      files,
      meetings,
      transcriber,
      redis,
      bus,
      clock,
      draining: () => drain.draining,
      provider: provider && (() => provider.configuration()),
    });
    const imports = createImportSockets(edge);
    stops.push('imports', () => imports.stop());
    const sockets = createSocketServer(server, edge, { bus, leases, redis, imports });
    server.on('request', createHttpApp(edge, { provider, health, secure }));

    const watching = serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
      ready: async () => readiness(await health.check()),
    });
    // Asked until the end, for /readyz tells that nobody is to be sent here any more.
    stops.push('metrics', async () => (await watching).stop());
    stops.push('http', async () => {
      const mostMs = config.DRAIN_SECONDS * 1_000;
      const until = performance.now() + mostMs;
      drain.begin();
      await sockets.stop(mostMs - leastFinishMs);
      await drain.finish(Math.max(leastFinishMs, until - performance.now()));
    });
    const watch = await watching;
    log.info({ publicUrl, port }, 'the gateway is open');
    return { http: port, metrics: watch.port };
  };

  return {
    async start() {
      try {
        return await start();
      } catch (error) {
        await stops.stop();
        throw error;
      }
    },
    stop: () => stops.stop(),
  };
}
