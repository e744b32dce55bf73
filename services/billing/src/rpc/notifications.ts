import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceDefinition } from '@nolo/proto/billing';
import { paymentGatewayIds } from '@nolo/rules';
import { createBillingError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

const maxNotificationBytes = 256 * 1024;

export function storeNotification({
  notifications,
  clock,
}: Dependencies): RpcHandler<typeof BillingServiceDefinition.methods.storeNotification> {
  return async ({ gateway: name, body, headers, sourceAddress }) => {
    const gateway = paymentGatewayIds.find((id) => id === name);
    if (!gateway) throw createBillingError('invalid', 'gateway_unknown', 'This gateway does not exist.');
    if (body.byteLength > maxNotificationBytes || JSON.stringify(headers).length > maxNotificationBytes / 4) {
      throw createBillingError('too_large', 'notification_too_large', 'A notification can have at most 256 KiB.');
    }
    return { id: await notifications.store(gateway, { body, headers, sourceAddress }, clock.now()) };
  };
}
