import type { IncomingMessage } from 'node:http';
import type { FollowedBarredHosts } from '@nolo/kit/barredHosts';
import type { Clock } from '@nolo/kit/clock';
import type { DeliveryService } from '@nolo/kit/delivery';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { FollowedSettings } from '@nolo/kit/settings';
import type { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import type { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import type { BillingServiceDefinition } from '@nolo/proto/billing';
import type { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import type { TeamServiceDefinition } from '@nolo/proto/team';
import type { BrandServiceDefinition } from '@nolo/proto/brand';
import type { AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import type { CallServiceDefinition } from '@nolo/proto/calls';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { ExportServiceDefinition } from '@nolo/proto/exports';
import type { FilesServiceDefinition } from '@nolo/proto/files';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import type { KeyServiceDefinition } from '@nolo/proto/keys';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import type { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import type { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import type { RoomAdminServiceDefinition } from '@nolo/proto/roomAdmin';
import type { RoomServiceDefinition } from '@nolo/proto/rooms';
import type { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import type { SecurityServiceDefinition } from '@nolo/proto/security';
import type { SettingServiceDefinition } from '@nolo/proto/settings';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import type { SocialServiceDefinition } from '@nolo/proto/social';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import type { OperatorServiceDefinition } from '@nolo/proto/operators';
import type { AdminServiceDefinition } from '@nolo/proto/admin';
import type { ReportServiceDefinition } from '@nolo/proto/reports';
import type { TokenServiceDefinition } from '@nolo/proto/tokens';
import type { TranscriberServiceDefinition } from '@nolo/proto/transcriber';
import type { PushServiceDefinition } from '@nolo/proto/push';
import type { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import type { SettingValues } from '@nolo/rules';
import type { ApiGatewayConfig } from './config.ts';
import type { AnnouncementBoard } from './sockets/announcementBoard.ts';
import type { RelyingParty } from './domain/relyingParty.ts';
import type { GatewayRateLimiter } from './http/rateLimiter.ts';
import type { GatewayMetrics } from './http/metrics.ts';
import type { SessionAuthenticator } from './http/sessionAuthenticator.ts';
import type { FetchFile } from './imports/fetchFile.ts';
import type { PendingFileImportStore } from './imports/pendingFileImportStore.ts';
import type { LinkPreviewer } from './links/linkPreviewer.ts';

export type IdentityClient = RpcClient<typeof IdentityServiceDefinition>;
export type SecurityClient = RpcClient<typeof SecurityServiceDefinition>;
export type MailCodesClient = RpcClient<typeof MailCodeServiceDefinition>;
export type PasskeysClient = RpcClient<typeof PasskeyServiceDefinition>;
export type KeysClient = RpcClient<typeof KeyServiceDefinition>;
export type OperatorsClient = RpcClient<typeof OperatorServiceDefinition>;
export type SettingsClient = RpcClient<typeof SettingServiceDefinition>;
export type BarredHostsClient = RpcClient<typeof BarredHostServiceDefinition>;
export type MailInvitationsClient = RpcClient<typeof MailInvitationServiceDefinition>;
export type AnnouncementsClient = RpcClient<typeof AnnouncementServiceDefinition>;
export type ServiceAdminClient = RpcClient<typeof AdminServiceDefinition>;
export type ReportsClient = RpcClient<typeof ReportServiceDefinition>;
export type SecondFactorClient = RpcClient<typeof SecondFactorServiceDefinition>;
export type TokensClient = RpcClient<typeof TokenServiceDefinition>;
export type ChatClient = RpcClient<typeof ChatServiceDefinition>;
export type EpochsClient = RpcClient<typeof EpochServiceDefinition>;
export type GroupsClient = RpcClient<typeof GroupServiceDefinition>;
export type MessageActionsClient = RpcClient<typeof MessageActionServiceDefinition>;
export type FilesClient = RpcClient<typeof FilesServiceDefinition>;
export type ExportsClient = RpcClient<typeof ExportServiceDefinition>;
export type SharedFilesClient = RpcClient<typeof SharedFileServiceDefinition>;
export type MeetingsClient = RpcClient<typeof MeetingServiceDefinition>;
export type RoomsClient = RpcClient<typeof RoomServiceDefinition>;
export type RoomAdminClient = RpcClient<typeof RoomAdminServiceDefinition>;
export type BrandsClient = RpcClient<typeof BrandServiceDefinition>;
export type CallsClient = RpcClient<typeof CallServiceDefinition>;
export type StatusClient = RpcClient<typeof StatusServiceDefinition>;
export type SocialClient = RpcClient<typeof SocialServiceDefinition>;
export type BillingClient = RpcClient<typeof BillingServiceDefinition>;
export type TeamClient = RpcClient<typeof TeamServiceDefinition>;
export type BillingAdminClient = RpcClient<typeof BillingAdminServiceDefinition>;
export type PushClient = RpcClient<typeof PushServiceDefinition>;
export type WebhooksClient = RpcClient<typeof WebhookServiceDefinition>;
export type TranscriberClient = RpcClient<typeof TranscriberServiceDefinition>;

/** Clients of the billing service. */
export interface BillingClients {
  readonly plans: BillingClient;
  readonly team: TeamClient;
  readonly admin: BillingAdminClient;
}

/** Service context of routes and sockets, created once in app.ts. */
export interface GatewayContext {
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
  readonly identity: IdentityClient;
  /** Identity client for proof, sign-in methods, and notices about them. */
  readonly security: SecurityClient;
  /** Identity client for passkeys. */
  readonly passkeys: PasskeysClient;
  /** Identity client for devices with keys. */
  readonly keys: KeysClient;
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
  readonly barredHosts: FollowedBarredHosts;
  /** Identity client for invitations by email. */
  readonly mailInvitations: MailInvitationsClient;
  /** Identity client for settings changed at run time; `settings` is this replica's copy. */
  readonly settingService: SettingsClient;
  readonly settings: FollowedSettings<SettingValues>;
  /** Service info clients, by the name used in the health check. */
  readonly serviceAdmins: Readonly<Record<string, ServiceAdminClient>>;
  /** Identity client for reports from people. */
  readonly reports: ReportsClient;
  readonly chat: ChatClient;
  /** Chat client for groups; `messageActions` is for actions on messages. */
  readonly groups: GroupsClient;
  /** Chat client for epochs and vaults. */
  readonly epochs: EpochsClient;
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
