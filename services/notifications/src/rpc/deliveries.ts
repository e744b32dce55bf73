import { parseActorId, newId, parseId } from '@nolo/kit/ids';
import { defineCursor, idField, pageSize, timeField } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import { webhookLimits, webhookTestType } from '@nolo/rules';
import type { DeliveryPlace } from '../domain/ports.ts';
import type { DeliveryId } from '../domain/webhook.ts';
import { deliveryNotFound, createNotificationsError, notActive } from '../errors.ts';
import { toDeliveryReply } from './replies.ts';
import { requireWebhookPlan, findWebhook, type Dependencies } from './webhooks.ts';

type Handler<Name extends keyof (typeof WebhookServiceDefinition)['methods']> = RpcHandler<
  (typeof WebhookServiceDefinition)['methods'][Name]
>;

const defaultPageSize = 25;
const deliveryCursor = defineCursor<DeliveryPlace>({ at: timeField, id: idField<DeliveryId>() });

export function sendTestEvent(dependencies: Dependencies): Handler<'sendTestEvent'> {
  const { deliveries, clock } = dependencies;
  return async ({ actorId, webhookId }) => {
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    await requireWebhookPlan(dependencies, userId);
    const testEvent = { type: webhookTestType, eventId: newId(), at: clock.now(), data: { webhookId: webhook.id } };
    const delivery = await deliveries.test(userId, webhook.id, testEvent);
    if (!delivery) throw notActive();
    return toDeliveryReply(delivery);
  };
}

export function listDeliveries(dependencies: Dependencies): Handler<'listDeliveries'> {
  const { deliveries } = dependencies;
  return async ({ actorId, webhookId, cursor, limit: requestedLimit }) => {
    const { webhook } = await findWebhook(dependencies, parseActorId(actorId ?? ''), webhookId);
    const limit = pageSize(requestedLimit, defaultPageSize, webhookLimits.deliveriesPerPage);
    const rows = await deliveries.list(webhook.id, deliveryCursor.read(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const nextCursor = last && deliveryCursor.write({ at: last.createdAt, id: last.id });
    return { deliveries: page.map(toDeliveryReply), nextCursor };
  };
}

export function resendDelivery(dependencies: Dependencies): Handler<'resendDelivery'> {
  const { deliveries, clock } = dependencies;
  return async ({ actorId, webhookId, deliveryId }) => {
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    const id = parseId<DeliveryId>(deliveryId);
    if (id === undefined) throw deliveryNotFound();
    await requireWebhookPlan(dependencies, userId);
    const resendResult = await deliveries.resend(webhook.id, id, clock.now());
    if (resendResult === 'missing') throw deliveryNotFound();
    if (resendResult === 'not active') throw notActive();
    if (resendResult === 'under way') {
      throw createNotificationsError('conflict', 'delivery_under_way', 'This delivery is already being sent.');
    }
    return toDeliveryReply(resendResult);
  };
}
