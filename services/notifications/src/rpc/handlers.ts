import type { RpcHandlers } from '@nolo/kit/rpc';
import type { PushServiceDefinition } from '@nolo/proto/push';
import type { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import { listDeliveries, resendDelivery, sendTestEvent } from './deliveries.ts';
import {
  getPushKey,
  getSettings,
  listSubscriptions,
  subscribe,
  unsubscribe,
  updateSettings,
  type PushDependencies,
} from './push.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type WebhookDependencies,
} from './webhooks.ts';

/** Handlers of the WebhookService. */
export function createWebhookHandlers(dependencies: WebhookDependencies): RpcHandlers<typeof WebhookServiceDefinition> {
  return {
    listWebhooks: listWebhooks(dependencies),
    getWebhook: getWebhook(dependencies),
    createWebhook: createWebhook(dependencies),
    updateWebhook: updateWebhook(dependencies),
    deleteWebhook: deleteWebhook(dependencies),
    rotateSecret: rotateSecret(dependencies),
    sendTestEvent: sendTestEvent(dependencies),
    listDeliveries: listDeliveries(dependencies),
    resendDelivery: resendDelivery(dependencies),
  };
}

/** Handlers of the PushService. */
export function createPushHandlers(dependencies: PushDependencies): RpcHandlers<typeof PushServiceDefinition> {
  return {
    getPushKey: getPushKey(dependencies),
    listSubscriptions: listSubscriptions(dependencies),
    subscribe: subscribe(dependencies),
    unsubscribe: unsubscribe(dependencies),
    getSettings: getSettings(dependencies),
    updateSettings: updateSettings(dependencies),
  };
}
