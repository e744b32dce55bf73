import type { IncomingMessage } from 'node:http';
import type { FollowedBarredHosts } from '@nolo/kit/barredHosts';
import type { Clock } from '@nolo/kit/clock';
import type { DeliveryService } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { FollowedSettings } from '@nolo/kit/settings';
import type { SettingValues } from '@nolo/rules';
import type { Clients, ServiceAdmins } from './clients.ts';
import type { ApiGatewayConfig } from './config.ts';
import type { AnnouncementBoard } from './sockets/announcementBoard.ts';
import type { RelyingParty } from './domain/relyingParty.ts';
import type { GatewayRateLimiter } from './http/rateLimiter.ts';
import type { GatewayMetrics } from './http/metrics.ts';
import type { SessionAuthenticator } from './http/sessionAuthenticator.ts';
import type { FetchFile } from './imports/fetchFile.ts';
import type { PendingFileImportStore } from './imports/pendingFileImportStore.ts';
import type { LinkPreviewer } from './links/linkPreviewer.ts';

/** Service context of routes and sockets, created once in app.ts. */
export interface GatewayContext extends Clients {
  readonly config: ApiGatewayConfig;
  /** Origin of this server for browsers. */
  readonly publicUrl: string;
  /** Origins whose pages may use a session cookie. */
  readonly origins: ReadonlySet<string>;
  /** Site that passkeys belong to. Undefined if browsers accept none. */
  readonly relyingParty: RelyingParty | undefined;
  /** Returns the client address for limits. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the full client address, to match lists of external addresses. */
  readonly peerOf: (request: IncomingMessage) => string;
  readonly log: Log;
  readonly clock: Clock;
  readonly announcementBoard: AnnouncementBoard;
  readonly barredHosts: FollowedBarredHosts;
  readonly settings: FollowedSettings<SettingValues>;
  readonly serviceAdmins: ServiceAdmins;
  readonly delivery: DeliveryService;
  readonly limits: GatewayRateLimiter;
  readonly sessions: SessionAuthenticator;
  readonly metrics: GatewayMetrics;
  readonly linkPreviews: LinkPreviewer;
  /** Imports of files from links. */
  readonly imports: {
    readonly fetchFile: FetchFile;
    readonly orders: PendingFileImportStore;
    readonly portAllowed: (port: number) => boolean;
  };
  /** True to validate every reply against its contract before sending; for tests, because it takes time. */
  readonly validateReplies: boolean;
}
