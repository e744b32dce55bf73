import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceService } from '@nolo/proto/billing';
import { gatewayIds } from '@nolo/rules';
import { failBilling } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

const mostBytes = 256 * 1024;

export function storeNotification({
  notifications,
  clock,
}: Dependencies): RpcHandler<typeof BillingServiceService.storeNotification> {
  return async ({ gateway: name, body, headers, sourceAddress }) => {
    const gateway = gatewayIds.find((id) => id === name);
    if (!gateway) throw failBilling('invalid', 'gateway_unknown', 'This gateway does not exist.');
    if (body.byteLength > mostBytes || JSON.stringify(headers).length > mostBytes / 4) {
      throw failBilling('too_large', 'notification_too_large', 'A notification can have at most 256 KiB.');
    }
    return { id: await notifications.store(gateway, { body, headers, sourceAddress }, clock.now()) };
  };
}
