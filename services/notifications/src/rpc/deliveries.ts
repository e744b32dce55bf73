import { actorFrom, newId, parseId } from '@nolo/kit/ids';
import { defineCursor, idPart, pageSize, timePart } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { WebhookServiceService } from '@nolo/proto/webhooks';
import { webhookLimits, webhookTestType } from '@nolo/rules';
import type { DeliveryPlace } from '../domain/ports.ts';
import type { DeliveryId } from '../domain/webhook.ts';
import { deliveryNotFound, failNotifications, notActive } from '../errors.ts';
import { toDeliveryReply } from './replies.ts';
import { mustAllow, webhookOf, type Dependencies } from './webhooks.ts';

type Handler<Name extends keyof typeof WebhookServiceService> = RpcHandler<(typeof WebhookServiceService)[Name]>;

const usualPage = 25;
const deliveryCursor = defineCursor<DeliveryPlace>({ at: timePart, id: idPart<DeliveryId>() });

export function sendTestEvent(dependencies: Dependencies): Handler<'sendTestEvent'> {
  const { deliveries, clock } = dependencies;
  return async ({ actorId, webhookId }) => {
    const userId = actorFrom(actorId ?? '');
    const { webhook } = await webhookOf(dependencies, userId, webhookId);
    await mustAllow(dependencies, userId);
    const told = { type: webhookTestType, eventId: newId(), at: clock.now(), data: { webhookId: webhook.id } };
    const delivery = await deliveries.test(userId, webhook.id, told);
    if (!delivery) throw notActive();
    return toDeliveryReply(delivery);
  };
}

export function listDeliveries(dependencies: Dependencies): Handler<'listDeliveries'> {
  const { deliveries } = dependencies;
  return async ({ actorId, webhookId, cursor, limit: asked }) => {
    const { webhook } = await webhookOf(dependencies, actorFrom(actorId ?? ''), webhookId);
    const limit = pageSize(asked, usualPage, webhookLimits.deliveriesPerPage);
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
    const userId = actorFrom(actorId ?? '');
    const { webhook } = await webhookOf(dependencies, userId, webhookId);
    const id = parseId<DeliveryId>(deliveryId);
    if (id === undefined) throw deliveryNotFound();
    await mustAllow(dependencies, userId);
    const again = await deliveries.resend(webhook.id, id, clock.now());
    if (again === 'missing') throw deliveryNotFound();
    if (again === 'not active') throw notActive();
    if (again === 'under way') {
      throw failNotifications('conflict', 'delivery_under_way', 'This delivery is already being sent.');
    }
    return toDeliveryReply(again);
  };
}
