import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followBarredHosts } from '@nolo/installation/barredHosts';
import { createDeliveryService, createConnectionLeases } from '@nolo/kit/delivery';
import { isForeignPublicAddress, resolveHost } from '@nolo/kit/outbound';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings, requireKnownSettings } from '@nolo/installation/settings';
import { createVisibleSessions } from '@nolo/kit/visibleSessions';
import { isBarred, parseSettings } from '@nolo/rules';
import { connectClients, connectServiceAdmins } from './clients.ts';
import { listensOnLoopback, type ApiGatewayConfig } from './config.ts';
import { resolveRateLimitAddress, resolveClientAddress } from './domain/clientAddress.ts';
import { listAllowedOrigins } from './domain/origins.ts';
import { createRelyingParty } from './domain/relyingParty.ts';
import type { GatewayContext } from './gatewayContext.ts';
import { createDrain, type GatewayDrain } from './http/drain.ts';
import { createHealthCheck, toReadinessChecks } from './http/health.ts';
import { createHttpApp } from './httpApp.ts';
import { createGatewayRateLimiter } from './http/rateLimiter.ts';
import { createGatewayMetrics } from './http/metrics.ts';
import { createSessionAuthenticator } from './http/sessionAuthenticator.ts';
import { createSessionCache } from './http/sessionCache.ts';
import { isWebPort } from './domain/linkAddress.ts';
import { createFetchFile } from './imports/fetchFile.ts';
import { createPendingFileImportStore } from './imports/pendingFileImportStore.ts';
import { createImportSockets } from './imports/importSockets.ts';
import { createLinkPreviewer, type LinkPreviewOptions } from './links/linkPreviewer.ts';
import { createProvider } from './signIn/provider.ts';
import { createAnnouncementBoard, type AnnouncementBoard } from './announcementBoard.ts';
import { createSocketServer } from './sockets/socketServer.ts';

export interface GatewayAppOptions extends ServiceOptions<ApiGatewayConfig> {
  /** True to validate replies against their contracts; for tests. */
  validateReplies?: boolean;
  /** Permitted link targets, for tests with their own servers. Not configurable through the environment. */
  links?: LinkPreviewOptions;
}

/** Link options for production: only the public internet. */
const publicLinks: LinkPreviewOptions = {
  guard: { resolveHost, addressAllowed: isForeignPublicAddress, portAllowed: isWebPort },
};

/** Minimum time for requests in progress to finish after the last socket is closed. */
const leastFinishMs = 1_000;

/**
 * Creates the gateway. Its stop refuses new requests, finishes those in progress, redirects sockets to other replicas,
 * and releases all resources.
 */
export function createGatewayApp({
  validateReplies = false,
  links = publicLinks,
  ...options
}: GatewayAppOptions): ServiceApp {
  return createService('gateway', options, async (service) => {
    const { config, log, clock, redis, bus } = service;
    const metrics = createGatewayMetrics(service.metrics);
    const clients = connectClients(config, service.client);
    const serviceAdmins = connectServiceAdmins(config, service.client);
    const sessionCache = createSessionCache({ clock });
    service.onStop('session notices', sessionCache.follow(bus));
    const leases = createConnectionLeases({ redis, replicaId: config.REPLICA_ID, log });
    service.onStop('leases', () => leases.stop());
    const watches = createVisibleSessions({ redis, log });
    service.onStop('watches', () => watches.stop());

    const { server, drain, port } = await listen(config);
    const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`;
    const secure = publicUrl.startsWith('https:');
    if (config.demo && !listensOnLoopback(config.HOST)) {
      log.warn(
        { host: config.HOST },
        'DEMO MODE IS REACHABLE FROM THE NETWORK: anyone who reaches this machine can sign in as anyone with the demo code.',
      );
    }
    const provider = createProvider(config, log, clock);
    const settings = followOperatorSettings(service, {
      list: () => clients.settingService.listCurrentSettings({}),
      read: parseSettings,
    });
    const barredHosts = followBarredHosts(service, {
      list: (known) => clients.barredHostService.listCurrentBarredHosts(known),
    });
    const guard = {
      ...links.guard,
      isBarred(host: string) {
        requireKnownSettings(barredHosts);
        return isBarred(barredHosts.current(), host);
      },
    };
    const origins = listAllowedOrigins(publicUrl, config.demo, port);
    const context: GatewayContext = {
      ...clients,
      serviceAdmins,
      announcementBoard: startAnnouncementBoard(service, clients),
      settings,
      barredHosts,
      config,
      publicUrl,
      origins,
      relyingParty: createRelyingParty(publicUrl, origins, config.PASSKEY_RP_ID),
      addressOf: ({ socket, headers }) =>
        resolveRateLimitAddress(socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      peerOf: ({ socket, headers }) =>
        resolveClientAddress(socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      log,
      clock,
      delivery: createDeliveryService({ redis, bus, log }),
      limits: createGatewayRateLimiter({
        redis,
        demo: config.demo,
        clock,
        newAccountHours: () => settings.current().newAccountHours ?? config.NEW_ACCOUNT_HOURS,
      }),
      sessions: createSessionAuthenticator({
        identity: clients.identity,
        tokens: clients.tokens,
        cache: sessionCache,
        clock,
        secure,
        name: config.SESSION_COOKIE,
      }),
      metrics,
      linkPreviews: createLinkPreviewer({ ...links, guard }),
      imports: {
        fetchFile: createFetchFile(guard),
        orders: createPendingFileImportStore(redis),
        portAllowed: guard.portAllowed,
      },
      validateReplies,
    };
    const health = createHealthCheck({
      clients,
      serviceAdmins,
      redis,
      bus,
      clock,
      draining: () => drain.draining,
      provider: provider && (() => provider.configuration()),
    });
    const imports = createImportSockets(context);
    service.onStop('imports', () => imports.stop());
    const sockets = createSocketServer(server, context, { bus, leases, watches, redis, imports });
    server.on('request', createHttpApp(context, { provider, health, secure }));
    service.onStop('http', async () => {
      const maxDrainMs = config.DRAIN_SECONDS * 1_000;
      const until = performance.now() + maxDrainMs;
      drain.begin();
      await sockets.stop(maxDrainMs - leastFinishMs);
      await drain.finish(Math.max(leastFinishMs, until - performance.now()));
    });
    return {
      ports: { http: port },
      ready: async () => toReadinessChecks(await health.check()),
      opened: () => log.info({ publicUrl, port }, 'gateway ready'),
    };
  });
}

/** Loads the operators' announcements at the start and refreshes them every minute. */
function startAnnouncementBoard(
  { bus, clock, log, onStop, repeat }: ServiceContext<ApiGatewayConfig>,
  { announcements }: Pick<GatewayContext, 'announcements'>,
): AnnouncementBoard {
  const { board, stop } = createAnnouncementBoard({ bus, announcements, clock, log });
  onStop('announcements', stop);
  const announcementPolling = repeat({
    name: 'announcements',
    everyMs: 60_000,
    everywhere: true,
    run: () => board.refresh(),
  });
  announcementPolling.at(clock.now());
  return board;
}

/** Starts listening. From here on the port is open, and clients wait until requests are handled. */
async function listen({
  PORT,
  HOST,
}: ApiGatewayConfig): Promise<{ server: Server; drain: GatewayDrain; port: number }> {
  const server = createServer({
    keepAliveTimeout: 65_000,
    // A client that was promised 65 seconds and sends at the last moment is still served.
    keepAliveTimeoutBuffer: 10_000,
    // An upload may take as long as it makes progress; see enforceBodyDeadline. Headers still have a short limit.
    requestTimeout: 0,
    headersTimeout: 60_000,
    // An offer of another protocol (h2c, which some HTTP clients send with each request) is ignored.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  const drain = createDrain(server);
  server.listen(PORT, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, drain, port };
}
