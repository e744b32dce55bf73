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
import type { BulletinBoard } from './sockets/bulletinBoard.ts';
import type { RelyingParty } from './domain/relyingParty.ts';
import type { EdgeLimits } from './http/limits.ts';
import type { EdgeMetrics } from './http/metrics.ts';
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
export type BulletinsClient = RpcClient<typeof BulletinServiceService>;
export type PartClient = RpcClient<typeof PartServiceService>;
export type ReportsClient = RpcClient<typeof ReportServiceService>;
export type SecondFactorClient = RpcClient<typeof SecondFactorServiceService>;
export type TokensClient = RpcClient<typeof TokenServiceService>;
export type ChatClient = RpcClient<typeof ChatServiceService>;
export type GroupsClient = RpcClient<typeof GroupServiceService>;
export type MarksClient = RpcClient<typeof MarkServiceService>;
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

/** All of one service. */
export interface BillingClients {
  readonly plans: BillingClient;
  readonly team: TeamClient;
  readonly admin: BillingAdminClient;
}

/** What routes and sockets work with, made once in app.ts. */
export interface Edge {
  readonly config: Config;
  /** Origin under which browsers know this server. */
  readonly publicUrl: string;
  /** Origins whose pages may act with a session cookie. */
  readonly origins: ReadonlySet<string>;
  /** The site that passkeys belong to; absent where browsers take none. */
  readonly relyingParty: RelyingParty | undefined;
  /** Where a request came from, as limits count it. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The same in full, for what is held against lists of others' addresses. */
  readonly peerOf: (request: IncomingMessage) => string;
  readonly log: Log;
  readonly clock: Clock;
  readonly identity: IdentityClient;
  /** Of the same service: proof, the ways to sign in, and what one is told of them. */
  readonly security: SecurityClient;
  /** Of the same service: passkeys. */
  readonly passkeys: PasskeysClient;
  /** And codes by mail. */
  readonly mailCodes: MailCodesClient;
  /** And second factors. */
  readonly secondFactor: SecondFactorClient;
  /** Of the same service: personal access tokens. */
  readonly tokens: TokensClient;
  /** Of the same service: what operators see and do. */
  readonly operators: OperatorsClient;
  /** Of the same service: what they tell everybody, and what this replica knows of it. */
  readonly bulletins: BulletinsClient;
  readonly bulletinBoard: BulletinBoard;
  /** Of the same service: the hosts that they bar, and what this replica knows of them. */
  readonly barredHostService: BarredHostsClient;
  readonly barredHosts: BarredHosts;
  /** Of the same service: whom they invited by mail. */
  readonly mailInvitations: MailInvitationsClient;
  /** Of the same service: what they set while the installation runs, and what this replica knows of it. */
  readonly settingService: SettingsClient;
  readonly settings: Settings<SettingValues>;
  /** What each service says of itself, by the name that health has for it. */
  readonly parts: Readonly<Record<string, PartClient>>;
  /** Of the same service: what people report. */
  readonly reports: ReportsClient;
  readonly chat: ChatClient;
  /** Of the same service: groups, and what people do to messages. */
  readonly groups: GroupsClient;
  readonly marks: MarksClient;
  readonly files: FilesClient;
  /** Of the same service: what people send one another. */
  readonly sharedFiles: SharedFilesClient;
  /** Of the same service: archives of accounts. */
  readonly exports: ExportsClient;
  readonly meetings: MeetingsClient;
  readonly rooms: RoomsClient;
  /** Of the same service: what operators see and do about rooms. */
  readonly roomAdmin: RoomAdminClient;
  readonly brands: BrandsClient;
  readonly calls: CallsClient;
  readonly status: StatusClient;
  /** Absent where the operator has not set it up. */
  readonly social: SocialClient | undefined;
  /** Absent where no engine is configured. */
  readonly transcriber: TranscriberClient | undefined;
  /** Absent where nothing is sold: everybody has everything. */
  readonly billing: BillingClients | undefined;
  /** Absent where the operator has not set it up. */
  readonly webhooks: WebhooksClient | undefined;
  /** The same service. */
  readonly push: PushClient | undefined;
  readonly delivery: DeliveryService;
  readonly limits: EdgeLimits;
  readonly sessions: Sessions;
  readonly metrics: EdgeMetrics;
  readonly linkPreviews: LinkPreviews;
  /** Files from links. */
  readonly imports: {
    readonly fetchFile: FetchFile;
    readonly orders: ImportOrders;
    readonly portAllowed: (port: number) => boolean;
  };
  /** Holds every reply against its contract before it is sent; for tests, as it costs time. */
  readonly validateReplies: boolean;
}
