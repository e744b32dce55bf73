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
    if (!gateway) throw failBilling('invalid', 'gateway_unknown', 'There is no such gateway.');
    if (body.byteLength > mostBytes || JSON.stringify(headers).length > mostBytes / 4) {
      throw failBilling('too_large', 'notification_too_large', 'A notification has 256 KiB at most.');
    }
    return { id: await notifications.store(gateway, { body, headers, sourceAddress }, clock.now()) };
  };
}
