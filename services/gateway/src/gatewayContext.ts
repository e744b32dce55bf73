import type { IncomingMessage } from 'node:http';
import type { BarredHosts } from '@nolo/kit/barredHosts';
import type { Clock } from '@nolo/kit/clock';
import type { DeliveryService } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { Settings } from '@nolo/kit/settings';
import type { MailInvitationServiceService } from '@nolo/proto/mailInvitations';
import type { BarredHostServiceService } from '@nolo/proto/barredHosts';
import type { BillingServiceService } from '@nolo/proto/billing';
import type { BillingAdminServiceService } from '@nolo/proto/billingAdmin';
import type { TeamServiceService } from '@nolo/proto/team';
import type { BrandServiceService } from '@nolo/proto/brand';
import type { BulletinServiceService } from '@nolo/proto/bulletins';
import type { CallServiceService } from '@nolo/proto/calls';
import type { ChatServiceService } from '@nolo/proto/chat';
import type { ExportServiceService } from '@nolo/proto/exports';
import type { FilesServiceService } from '@nolo/proto/files';
import type { GroupServiceService } from '@nolo/proto/groups';
import type { IdentityServiceService } from '@nolo/proto/identity';
import type { MarkServiceService } from '@nolo/proto/marks';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import type { MailCodeServiceService } from '@nolo/proto/mailCodes';
import type { PasskeyServiceService } from '@nolo/proto/passkeys';
import type { RoomAdminServiceService } from '@nolo/proto/roomAdmin';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { SecondFactorServiceService } from '@nolo/proto/secondFactor';
import type { SecurityServiceService } from '@nolo/proto/security';
import type { SettingServiceService } from '@nolo/proto/settings';
import type { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import type { SocialServiceService } from '@nolo/proto/social';
import type { StatusServiceService } from '@nolo/proto/status';
import type { OperatorServiceService } from '@nolo/proto/operators';
import type { PartServiceService } from '@nolo/proto/part';
import type { ReportServiceService } from '@nolo/proto/reports';
import type { TokenServiceService } from '@nolo/proto/tokens';
import type { TranscriberServiceService } from '@nolo/proto/transcriber';
import type { PushServiceService } from '@nolo/proto/push';
import type { WebhookServiceService } from '@nolo/proto/webhooks';
import type { SettingValues } from '@nolo/rules';
import type { Config } from './config.ts';
import type { AnnouncementBoard } from './sockets/announcementBoard.ts';
import type { RelyingParty } from './domain/relyingParty.ts';
import type { GatewayLimits } from './http/limits.ts';
import type { GatewayMetrics } from './http/metrics.ts';
import type { Sessions } from './http/session.ts';
import type { FetchFile } from './imports/fetchFile.ts';
import type { ImportOrders } from './imports/importOrders.ts';
import type { LinkPreviews } from './links/linkPreviews.ts';

export type IdentityClient = RpcClient<typeof IdentityServiceService>;
export type SecurityClient = RpcClient<typeof SecurityServiceService>;
export type MailCodesClient = RpcClient<typeof MailCodeServiceService>;
export type PasskeysClient = RpcClient<typeof PasskeyServiceService>;
export type OperatorsClient = RpcClient<typeof OperatorServiceService>;
export type SettingsClient = RpcClient<typeof SettingServiceService>;
export type BarredHostsClient = RpcClient<typeof BarredHostServiceService>;
export type MailInvitationsClient = RpcClient<typeof MailInvitationServiceService>;
export type AnnouncementsClient = RpcClient<typeof BulletinServiceService>;
export type ServiceAdminClient = RpcClient<typeof PartServiceService>;
export type ReportsClient = RpcClient<typeof ReportServiceService>;
export type SecondFactorClient = RpcClient<typeof SecondFactorServiceService>;
export type TokensClient = RpcClient<typeof TokenServiceService>;
export type ChatClient = RpcClient<typeof ChatServiceService>;
export type GroupsClient = RpcClient<typeof GroupServiceService>;
export type MessageActionsClient = RpcClient<typeof MarkServiceService>;
export type FilesClient = RpcClient<typeof FilesServiceService>;
export type ExportsClient = RpcClient<typeof ExportServiceService>;
export type SharedFilesClient = RpcClient<typeof SharedFileServiceService>;
export type MeetingsClient = RpcClient<typeof MeetingServiceService>;
export type RoomsClient = RpcClient<typeof RoomServiceService>;
export type RoomAdminClient = RpcClient<typeof RoomAdminServiceService>;
export type BrandsClient = RpcClient<typeof BrandServiceService>;
export type CallsClient = RpcClient<typeof CallServiceService>;
export type StatusClient = RpcClient<typeof StatusServiceService>;
export type SocialClient = RpcClient<typeof SocialServiceService>;
export type BillingClient = RpcClient<typeof BillingServiceService>;
export type TeamClient = RpcClient<typeof TeamServiceService>;
export type BillingAdminClient = RpcClient<typeof BillingAdminServiceService>;
export type PushClient = RpcClient<typeof PushServiceService>;
export type WebhooksClient = RpcClient<typeof WebhookServiceService>;
export type TranscriberClient = RpcClient<typeof TranscriberServiceService>;

/** Clients of the billing service. */
export interface BillingClients {
  readonly plans: BillingClient;
  readonly team: TeamClient;
  readonly admin: BillingAdminClient;
}

/** Service context of routes and sockets, created once in app.ts. */
export interface GatewayContext {
  readonly config: Config;
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
  readonly identity: IdentityClient;
  /** Identity client for proof, sign-in methods, and notices about them. */
  readonly security: SecurityClient;
  /** Identity client for passkeys. */
  readonly passkeys: PasskeysClient;
  /** Identity client for codes by email. */
  readonly mailCodes: MailCodesClient;
  /** Identity client for second factors. */
  readonly secondFactor: SecondFactorClient;
  /** Identity client for personal access tokens. */
  readonly tokens: TokensClient;
  /** Identity client for operators. */
  readonly operators: OperatorsClient;
  /** Identity client for announcements; the board is this replica's copy. */
  readonly announcements: AnnouncementsClient;
  readonly announcementBoard: AnnouncementBoard;
  /** Identity client for hosts that operators bar; `barredHosts` is this replica's copy. */
  readonly barredHostService: BarredHostsClient;
  readonly barredHosts: BarredHosts;
  /** Identity client for invitations by email. */
  readonly mailInvitations: MailInvitationsClient;
  /** Identity client for settings changed at run time; `settings` is this replica's copy. */
  readonly settingService: SettingsClient;
  readonly settings: Settings<SettingValues>;
  /** Service info clients, by the name used in the health check. */
  readonly serviceAdmins: Readonly<Record<string, ServiceAdminClient>>;
  /** Identity client for reports from people. */
  readonly reports: ReportsClient;
  readonly chat: ChatClient;
  /** Chat client for groups; `marks` is for actions on messages. */
  readonly groups: GroupsClient;
  readonly messageActions: MessageActionsClient;
  readonly files: FilesClient;
  /** Files client for files that people send each other. */
  readonly sharedFiles: SharedFilesClient;
  /** Files client for account archives. */
  readonly exports: ExportsClient;
  readonly meetings: MeetingsClient;
  readonly rooms: RoomsClient;
  /** Meetings client for operators. */
  readonly roomAdmin: RoomAdminClient;
  readonly brands: BrandsClient;
  readonly calls: CallsClient;
  readonly status: StatusClient;
  /** Absent if the operator has not configured it. */
  readonly social: SocialClient | undefined;
  /** Absent if no engine is configured. */
  readonly transcriber: TranscriberClient | undefined;
  /** Absent if nothing is sold: all features are free. */
  readonly billing: BillingClients | undefined;
  /** Absent if the operator has not configured it. */
  readonly webhooks: WebhooksClient | undefined;
  /** Client of the same service as `webhooks`. */
  readonly push: PushClient | undefined;
  readonly delivery: DeliveryService;
  readonly limits: GatewayLimits;
  readonly sessions: Sessions;
  readonly metrics: GatewayMetrics;
  readonly linkPreviews: LinkPreviews;
  /** Imports of files from links. */
  readonly imports: {
    readonly fetchFile: FetchFile;
    readonly orders: ImportOrders;
    readonly portAllowed: (port: number) => boolean;
  };
  /** True to validate every reply against its contract before sending; for tests, because it takes time. */
  readonly validateReplies: boolean;
}
