import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBarredHosts } from '@nolo/kit/barredHosts';
import { createDelivery, createLeases } from '@nolo/kit/delivery';
import { isForeignPublicAddress, resolveHost } from '@nolo/kit/outbound';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { createSettings, requireKnownSettings } from '@nolo/kit/settings';
import { createSessionWatches } from '@nolo/kit/watches';
import { MailInvitationServiceService } from '@nolo/proto/mailInvitations';
import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BillingServiceService } from '@nolo/proto/billing';
import { BillingAdminServiceService } from '@nolo/proto/billingAdmin';
import { TeamServiceService } from '@nolo/proto/team';
import { BulletinServiceService } from '@nolo/proto/bulletins';
import { CallServiceService } from '@nolo/proto/calls';
import { BrandServiceService } from '@nolo/proto/brand';
import { ChatServiceService } from '@nolo/proto/chat';
import { ExportServiceService } from '@nolo/proto/exports';
import { FilesServiceService } from '@nolo/proto/files';
import { GroupServiceService } from '@nolo/proto/groups';
import { IdentityServiceService } from '@nolo/proto/identity';
import { MarkServiceService } from '@nolo/proto/marks';
import { MeetingServiceService } from '@nolo/proto/meetings';
import { MailCodeServiceService } from '@nolo/proto/mailCodes';
import { PasskeyServiceService } from '@nolo/proto/passkeys';
import { RoomAdminServiceService } from '@nolo/proto/roomAdmin';
import { RoomServiceService } from '@nolo/proto/rooms';
import { SecondFactorServiceService } from '@nolo/proto/secondFactor';
import { SecurityServiceService } from '@nolo/proto/security';
import { SettingServiceService } from '@nolo/proto/settings';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { SocialServiceService } from '@nolo/proto/social';
import { StatusServiceService } from '@nolo/proto/status';
import { OperatorServiceService } from '@nolo/proto/operators';
import { ReportServiceService } from '@nolo/proto/reports';
import { TokenServiceService } from '@nolo/proto/tokens';
import { TranscriberServiceService } from '@nolo/proto/transcriber';
import { PushServiceService } from '@nolo/proto/push';
import { WebhookServiceService } from '@nolo/proto/webhooks';
import { isBarred, readSettings } from '@nolo/rules';
import { listensOnLoopback, type Config } from './config.ts';
import { clientAddress, peerAddress } from './domain/clientAddress.ts';
import { allowedOrigins } from './domain/origins.ts';
import { relyingParty } from './domain/relyingParty.ts';
import type { GatewayContext } from './gatewayContext.ts';
import { createDrain, type GatewayDrain } from './http/drain.ts';
import { createHealthCheck, readiness } from './http/health.ts';
import { createHttpApp } from './http/httpApp.ts';
import { createGatewayLimits } from './http/limits.ts';
import { createGatewayMetrics } from './http/metrics.ts';
import { createSessions } from './http/session.ts';
import { createSessionCache } from './http/sessionCache.ts';
import { isWebPort } from './domain/linkAddress.ts';
import { createFetchFile } from './imports/fetchFile.ts';
import { createImportOrders } from './imports/importOrders.ts';
import { createImportSockets } from './imports/importSockets.ts';
import { createLinkPreviews, type LinkPreviewOptions } from './links/linkPreviews.ts';
import { createProvider } from './signIn/provider.ts';
import { createAnnouncementBoard, type AnnouncementBoard } from './sockets/announcementBoard.ts';
import { connectServiceAdmins } from './serviceAdmins.ts';
import { createSocketServer } from './sockets/socketServer.ts';

export interface GatewayAppOptions extends ServiceOptions<Config> {
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
    const clients = connectServices(service);
    const { identity, tokens, chat, files, meetings, status, social, billing, webhooks, transcriber } = clients;
    const sessionCache = createSessionCache({ clock });
    service.onStop('session notices', sessionCache.follow(bus));
    const leases = createLeases({ redis, replicaId: config.REPLICA_ID, log });
    service.onStop('leases', () => leases.stop());
    const watches = createSessionWatches({ redis, log });
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
    const settings = createSettings(service, {
      list: () => clients.settingService.listCurrentSettings({}),
      read: readSettings,
    });
    const barredHosts = createBarredHosts(service, {
      list: (known) => clients.barredHostService.listCurrentBarredHosts(known),
    });
    const guard = {
      ...links.guard,
      isBarred(host: string) {
        requireKnownSettings(barredHosts);
        return isBarred(barredHosts.current(), host);
      },
    };
    const origins = allowedOrigins(publicUrl, config.demo, port);
    const context: GatewayContext = {
      ...clients,
      announcementBoard: startAnnouncementBoard(service, clients),
      settings,
      barredHosts,
      config,
      publicUrl,
      origins,
      relyingParty: relyingParty(publicUrl, origins, config.PASSKEY_RP_ID),
      addressOf: ({ socket, headers }) =>
        clientAddress(socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      peerOf: ({ socket, headers }) =>
        peerAddress(socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      log,
      clock,
      delivery: createDelivery({ redis, bus, log }),
      limits: createGatewayLimits({
        redis,
        demo: config.demo,
        clock,
        newAccountHours: () => settings.current().newAccountHours ?? config.NEW_ACCOUNT_HOURS,
      }),
      sessions: createSessions({ identity, tokens, cache: sessionCache, clock, secure, name: config.SESSION_COOKIE }),
      metrics,
      linkPreviews: createLinkPreviews({ ...links, guard }),
      imports: {
        fetchFile: createFetchFile(guard),
        orders: createImportOrders(redis),
        portAllowed: guard.portAllowed,
      },
      validateReplies,
    };
    const health = createHealthCheck({
      identity,
      chat,
      files,
      meetings,
      status,
      social,
      billing: billing?.plans,
      webhooks,
      transcriber,
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
      ready: async () => readiness(await health.check()),
      opened: () => log.info({ publicUrl, port }, 'gateway ready'),
    };
  });
}

function connectServices({ config, client }: ServiceContext<Config>) {
  return {
    identity: client(IdentityServiceService, config.IDENTITY_ADDR),
    security: client(SecurityServiceService, config.IDENTITY_ADDR),
    passkeys: client(PasskeyServiceService, config.IDENTITY_ADDR),
    mailCodes: client(MailCodeServiceService, config.IDENTITY_ADDR),
    operators: client(OperatorServiceService, config.IDENTITY_ADDR),
    announcements: client(BulletinServiceService, config.IDENTITY_ADDR),
    barredHostService: client(BarredHostServiceService, config.IDENTITY_ADDR),
    mailInvitations: client(MailInvitationServiceService, config.IDENTITY_ADDR),
    settingService: client(SettingServiceService, config.IDENTITY_ADDR),
    serviceAdmins: connectServiceAdmins({ config, client }),
    reports: client(ReportServiceService, config.IDENTITY_ADDR),
    secondFactor: client(SecondFactorServiceService, config.IDENTITY_ADDR),
    tokens: client(TokenServiceService, config.IDENTITY_ADDR),
    chat: client(ChatServiceService, config.CHAT_ADDR),
    groups: client(GroupServiceService, config.CHAT_ADDR),
    messageActions: client(MarkServiceService, config.CHAT_ADDR),
    files: client(FilesServiceService, config.FILES_ADDR),
    exports: client(ExportServiceService, config.FILES_ADDR),
    sharedFiles: client(SharedFileServiceService, config.FILES_ADDR),
    meetings: client(MeetingServiceService, config.MEETINGS_ADDR),
    brands: client(BrandServiceService, config.MEETINGS_ADDR),
    rooms: client(RoomServiceService, config.MEETINGS_ADDR),
    roomAdmin: client(RoomAdminServiceService, config.MEETINGS_ADDR),
    calls: client(CallServiceService, config.MEETINGS_ADDR),
    status: client(StatusServiceService, config.STATUS_ADDR),
    social: config.SOCIAL_SCHEDULER_ADDR && client(SocialServiceService, config.SOCIAL_SCHEDULER_ADDR),
    billing: config.BILLING_ADDR && {
      plans: client(BillingServiceService, config.BILLING_ADDR),
      team: client(TeamServiceService, config.BILLING_ADDR),
      admin: client(BillingAdminServiceService, config.BILLING_ADDR),
    },
    webhooks: config.NOTIFICATIONS_ADDR && client(WebhookServiceService, config.NOTIFICATIONS_ADDR),
    push: config.NOTIFICATIONS_ADDR && client(PushServiceService, config.NOTIFICATIONS_ADDR),
    transcriber: config.TRANSCRIBER_ADDR && client(TranscriberServiceService, config.TRANSCRIBER_ADDR),
  };
}

/** Loads the operators' announcements at the start and refreshes them every minute. */
function startAnnouncementBoard(
  { bus, clock, log, onStop, repeat }: ServiceContext<Config>,
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
async function listen({ PORT, HOST }: Config): Promise<{ server: Server; drain: GatewayDrain; port: number }> {
  const server = createServer({
    keepAliveTimeout: 65_000,
    // A client that was promised 65 seconds and sends at the last moment is still served.
    keepAliveTimeoutBuffer: 10_000,
    // An upload may take as long as it makes progress; see bodyDeadline. Headers still have a short limit.
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
