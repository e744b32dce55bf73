import type { RpcCallOptions, RpcClient, RpcDefinition } from '@nolo/kit/rpc';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { BillingServiceDefinition } from '@nolo/proto/billing';
import { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import { BrandServiceDefinition } from '@nolo/proto/brand';
import { CallServiceDefinition } from '@nolo/proto/calls';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import { EpochServiceDefinition } from '@nolo/proto/epochs';
import { ExportServiceDefinition } from '@nolo/proto/exports';
import { FilesServiceDefinition } from '@nolo/proto/files';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { KeyServiceDefinition } from '@nolo/proto/keys';
import { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import { PushServiceDefinition } from '@nolo/proto/push';
import { ReportServiceDefinition } from '@nolo/proto/reports';
import { RoomAdminServiceDefinition } from '@nolo/proto/roomAdmin';
import { RoomServiceDefinition } from '@nolo/proto/rooms';
import { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { SocialServiceDefinition } from '@nolo/proto/social';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { TeamServiceDefinition } from '@nolo/proto/team';
import { TokenServiceDefinition } from '@nolo/proto/tokens';
import { TranscriberServiceDefinition } from '@nolo/proto/transcriber';
import { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import type { ApiGatewayConfig } from './config.ts';

/**
 * Clients of the context: definition, and the variable with the address. A client whose variable may be absent is
 * undefined without it.
 */
const definitions = {
  identity: [IdentityServiceDefinition, 'IDENTITY_ADDR'],
  /** Proof, sign-in methods, and notices about them. */
  security: [SecurityServiceDefinition, 'IDENTITY_ADDR'],
  passkeys: [PasskeyServiceDefinition, 'IDENTITY_ADDR'],
  secondFactor: [SecondFactorServiceDefinition, 'IDENTITY_ADDR'],
  /** Codes by email. */
  mailCodes: [MailCodeServiceDefinition, 'IDENTITY_ADDR'],
  mailInvitations: [MailInvitationServiceDefinition, 'IDENTITY_ADDR'],
  /** Devices with keys. */
  keys: [KeyServiceDefinition, 'IDENTITY_ADDR'],
  /** Personal access tokens. */
  tokens: [TokenServiceDefinition, 'IDENTITY_ADDR'],
  operators: [OperatorServiceDefinition, 'IDENTITY_ADDR'],
  /** Operators' announcements; `announcementBoard` of the context is this replica's copy. */
  announcements: [AnnouncementServiceDefinition, 'IDENTITY_ADDR'],
  /** Hosts that operators bar; `barredHosts` of the context is this replica's copy. */
  barredHostService: [BarredHostServiceDefinition, 'IDENTITY_ADDR'],
  /** Settings changed at run time; `settings` of the context is this replica's copy. */
  settingService: [SettingServiceDefinition, 'IDENTITY_ADDR'],
  /** Reports from people. */
  reports: [ReportServiceDefinition, 'IDENTITY_ADDR'],
  chat: [ChatServiceDefinition, 'CHAT_ADDR'],
  groups: [GroupServiceDefinition, 'CHAT_ADDR'],
  /** Epochs and vaults. */
  epochs: [EpochServiceDefinition, 'CHAT_ADDR'],
  messageActions: [MessageActionServiceDefinition, 'CHAT_ADDR'],
  files: [FilesServiceDefinition, 'FILES_ADDR'],
  /** Files that people send each other. */
  sharedFiles: [SharedFileServiceDefinition, 'FILES_ADDR'],
  /** Account archives. */
  exports: [ExportServiceDefinition, 'FILES_ADDR'],
  meetings: [MeetingServiceDefinition, 'MEETINGS_ADDR'],
  rooms: [RoomServiceDefinition, 'MEETINGS_ADDR'],
  /** Rooms for operators. */
  roomAdmin: [RoomAdminServiceDefinition, 'MEETINGS_ADDR'],
  brands: [BrandServiceDefinition, 'MEETINGS_ADDR'],
  calls: [CallServiceDefinition, 'MEETINGS_ADDR'],
  status: [StatusServiceDefinition, 'STATUS_ADDR'],
  social: [SocialServiceDefinition, 'SOCIAL_SCHEDULER_ADDR'],
  /** Plans, orders, and payments. Absent if nothing is sold: all features are free. */
  billing: [BillingServiceDefinition, 'BILLING_ADDR'],
  team: [TeamServiceDefinition, 'BILLING_ADDR'],
  billingAdmin: [BillingAdminServiceDefinition, 'BILLING_ADDR'],
  webhooks: [WebhookServiceDefinition, 'NOTIFICATIONS_ADDR'],
  push: [PushServiceDefinition, 'NOTIFICATIONS_ADDR'],
  transcriber: [TranscriberServiceDefinition, 'TRANSCRIBER_ADDR'],
} as const satisfies Readonly<Record<string, readonly [RpcDefinition, keyof ApiGatewayConfig]>>;

type Definitions = typeof definitions;
type AddressVariable = Definitions[keyof Definitions][1];
type Addresses = Pick<ApiGatewayConfig, AddressVariable>;
type Connect = <Definition extends RpcDefinition>(
  definition: Definition,
  address: ApiGatewayConfig['IDENTITY_ADDR'],
) => RpcClient<Definition>;

/** Clients of the other services. */
export type Clients = {
  readonly [Name in keyof Definitions]:
    RpcClient<Definitions[Name][0]> | Extract<Addresses[Definitions[Name][1]], undefined>;
};

export type ServiceAdminClient = RpcClient<typeof AdminServiceDefinition>;

/** Clients for service info, by the services' names in the health check. Services without an address are absent. */
export type ServiceAdmins = Readonly<Record<string, ServiceAdminClient>>;

interface Service {
  readonly address: AddressVariable;
  /** True if sign-in and chat do not work without it. */
  readonly required?: true;
  /** Requests of the health check, by the names of the components that they prove to work. */
  readonly checks: Readonly<Record<string, (clients: Clients, call: RpcCallOptions) => Promise<unknown> | undefined>>;
}

/** ID of no account; querying it makes a service read its database and find nothing. */
const nobody = '00000000-0000-4000-8000-000000000000';

/** Services by their names in the health check and on the operators' page. */
export const services: Readonly<Record<string, Service>> = {
  identity: {
    address: 'IDENTITY_ADDR',
    required: true,
    checks: { identity: ({ identity }, call) => identity.getUsers({ actorId: nobody, userIds: [nobody] }, call) },
  },
  chat: {
    address: 'CHAT_ADDR',
    required: true,
    checks: { chat: ({ chat }, call) => chat.getPreferences({ actorId: nobody }, call) },
  },
  files: {
    address: 'FILES_ADDR',
    checks: {
      async files({ files }, call) {
        const object = { actorId: nobody, objectId: nobody, width: 0, range: undefined };
        for await (const part of files.readObject(object, call)) if (part) return;
      },
    },
  },
  meetings: {
    address: 'MEETINGS_ADDR',
    checks: {
      meetings: ({ meetings }, call) => meetings.listMeetings({ actorId: nobody, limit: 1 }, call),
      // Meetings knows whether any media node accepts participants.
      media: ({ meetings }, call) => meetings.getMediaCapabilities({}, call),
    },
  },
  status: {
    address: 'STATUS_ADDR',
    checks: { status: ({ status }, call) => status.getStatusAudience({ actorId: nobody }, call) },
  },
  social: {
    address: 'SOCIAL_SCHEDULER_ADDR',
    checks: { social: ({ social }, call) => social?.countPosts({ actorId: nobody }, call) },
  },
  billing: {
    address: 'BILLING_ADDR',
    checks: { billing: ({ billing }, call) => billing?.getSubscription({ actorId: nobody }, call) },
  },
  webhooks: {
    address: 'NOTIFICATIONS_ADDR',
    checks: { webhooks: ({ webhooks }, call) => webhooks?.listWebhooks({ actorId: nobody }, call) },
  },
  transcriber: {
    address: 'TRANSCRIBER_ADDR',
    checks: { transcriber: ({ transcriber }, call) => transcriber?.getUsage({ actorId: nobody }, call) },
  },
};

/** Connects the clients of the context. */
export function connectClients(config: Addresses, connect: Connect): Clients {
  const clients = Object.entries(definitions).map(([name, [definition, variable]]) => {
    const address = config[variable];
    return [name, address && connect<RpcDefinition>(definition, address)] as const;
  });
  // The entries lose which definition belongs to which name; the table has it.
  return Object.fromEntries(clients) as unknown as Clients;
}

/** Connects to the service info of each service. */
export function connectServiceAdmins(config: Addresses, connect: Connect): ServiceAdmins {
  return Object.fromEntries(
    Object.entries(services).flatMap(([name, { address: variable }]) => {
      const address = config[variable];
      return address ? [[name, connect(AdminServiceDefinition, address)] as const] : [];
    }),
  );
}
