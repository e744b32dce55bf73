import type { IncomingMessage } from 'node:http';
import type { FollowedBarredHosts } from '@nolo/installation/barredHosts';
import type { DeliveryService } from '@nolo/kit/delivery';
import type { FollowedSettings } from '@nolo/installation/settings';
import type { SettingValues } from '@nolo/rules';
import type { AnnouncementBoard } from './announcementBoard.ts';
import type { Clients, ServiceAdmins } from './clients.ts';
import type { RelyingParty } from './domain/relyingParty.ts';
import type { HttpContext } from './http/httpContext.ts';
import type { ImportTools } from './imports/runningImports.ts';
import type { LinkPreviewer } from './links/linkPreviewer.ts';

/** Service context of routes and sockets, created once in app.ts. */
export interface GatewayContext extends Clients, HttpContext {
  readonly serviceAdmins: ServiceAdmins;
  /** Site that passkeys belong to. Undefined if browsers accept none. */
  readonly relyingParty: RelyingParty | undefined;
  /** Returns the full client address, to match lists of external addresses. */
  readonly peerOf: (request: IncomingMessage) => string;
  readonly announcementBoard: AnnouncementBoard;
  readonly barredHosts: FollowedBarredHosts;
  readonly settings: FollowedSettings<SettingValues>;
  readonly delivery: DeliveryService;
  readonly linkPreviews: LinkPreviewer;
  readonly imports: ImportTools;
}
