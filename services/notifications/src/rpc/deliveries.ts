import { parseActorId, newId, parseId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, clampPageSize, timeCursorField } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import { webhookLimits, webhookTestEventType } from '@nolo/rules';
import type { WebhookDeliveryCursor } from '../domain/ports.ts';
import type { WebhookDeliveryId } from '../domain/webhook.ts';
import { webhookDeliveryNotFound, createNotificationsError, webhookNotActive } from '../errors.ts';
import { toWebhookDeliveryReply } from './replies.ts';
import { requireWebhookPlan, findWebhook, type WebhookDependencies } from './webhooks.ts';

type Handler<Name extends keyof (typeof WebhookServiceDefinition)['methods']> = RpcHandler<
  (typeof WebhookServiceDefinition)['methods'][Name]
>;

const defaultPageSize = 25;
const deliveryCursor = defineCursor<WebhookDeliveryCursor>({
  at: timeCursorField,
  id: idCursorField<WebhookDeliveryId>(),
});

export function sendTestEvent(dependencies: WebhookDependencies): Handler<'sendTestEvent'> {
  const { deliveries, clock } = dependencies;
  return async ({ actorId, webhookId }) => {
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    await requireWebhookPlan(dependencies, userId);
    const testEvent = {
      type: webhookTestEventType,
      eventId: newId(),
      at: clock.now(),
      data: { webhookId: webhook.id },
    };
    const delivery = await deliveries.test(userId, webhook.id, testEvent);
    if (!delivery) throw webhookNotActive();
    return toWebhookDeliveryReply(delivery);
  };
}

export function listDeliveries(dependencies: WebhookDependencies): Handler<'listDeliveries'> {
  const { deliveries } = dependencies;
  return async ({ actorId, webhookId, cursor, limit: requestedLimit }) => {
    const { webhook } = await findWebhook(dependencies, parseActorId(actorId ?? ''), webhookId);
    const limit = clampPageSize(requestedLimit, defaultPageSize, webhookLimits.deliveriesPerPage);
    const rows = await deliveries.list(webhook.id, deliveryCursor.read(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const nextCursor = last && deliveryCursor.write({ at: last.createdAt, id: last.id });
    return { deliveries: page.map(toWebhookDeliveryReply), nextCursor };
  };
}

export function resendDelivery(dependencies: WebhookDependencies): Handler<'resendDelivery'> {
  const { deliveries, clock } = dependencies;
  return async ({ actorId, webhookId, deliveryId }) => {
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    const id = parseId<WebhookDeliveryId>(deliveryId);
    if (id === undefined) throw webhookDeliveryNotFound();
    await requireWebhookPlan(dependencies, userId);
    const resendResult = await deliveries.resend(webhook.id, id, clock.now());
    if (resendResult === 'missing') throw webhookDeliveryNotFound();
    if (resendResult === 'not active') throw webhookNotActive();
    if (resendResult === 'under way') {
      throw createNotificationsError('conflict', 'delivery_under_way', 'This delivery is already being sent.');
    }
    return toWebhookDeliveryReply(resendResult);
  };
}
