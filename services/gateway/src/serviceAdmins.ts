import type { ServiceContext } from '@nolo/kit/service';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import type { ApiGatewayConfig } from './config.ts';

type Addresses = Pick<
  ApiGatewayConfig,
  | 'IDENTITY_ADDR'
  | 'CHAT_ADDR'
  | 'FILES_ADDR'
  | 'MEETINGS_ADDR'
  | 'STATUS_ADDR'
  | 'SOCIAL_SCHEDULER_ADDR'
  | 'BILLING_ADDR'
  | 'NOTIFICATIONS_ADDR'
  | 'TRANSCRIBER_ADDR'
>;

/** Connects to the other services, keyed by their names in the health check. */
export function connectServiceAdmins({
  config,
  client,
}: {
  config: Addresses;
  client: ServiceContext<ApiGatewayConfig>['client'];
}) {
  const addresses = {
    identity: config.IDENTITY_ADDR,
    chat: config.CHAT_ADDR,
    files: config.FILES_ADDR,
    meetings: config.MEETINGS_ADDR,
    status: config.STATUS_ADDR,
    social: config.SOCIAL_SCHEDULER_ADDR,
    billing: config.BILLING_ADDR,
    webhooks: config.NOTIFICATIONS_ADDR,
    transcriber: config.TRANSCRIBER_ADDR,
  };
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, address]) =>
      address ? [[name, client(AdminServiceDefinition, address)] as const] : [],
    ),
  );
}
