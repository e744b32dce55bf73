import {
  nextCursorHeader,
  routes,
  webhookEventType,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@nolo/api';
import { createInternalError } from '@nolo/kit/errors';
import type {
  Delivery as DeliveryReply,
  Webhook as WebhookReply,
  WebhookWithSecret as SecretReply,
} from '@nolo/proto/webhooks';
import { webhookDeliveryReasons, webhookDeliveryStates, webhookInactivityReasons, webhookStates } from '@nolo/rules';
import type { Clients } from '../clients.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { RequestActor } from '../http/sessionAuthenticator.ts';
import { toIsoTime } from '../mapping/people.ts';

function webhooksOf({ webhooks }: Pick<GatewayContext, 'webhooks'>): NonNullable<Clients['webhooks']> {
  if (webhooks) return webhooks;
  throw createGatewayError('not_found', 'webhooks_unavailable', 'Webhooks are not available here.');
}

const oneOf = <Name extends string>(names: readonly Name[], text: string | undefined): Name | undefined =>
  names.find((name) => name === text);

const timeOrNull = (time: Date | undefined) => (time ? toIsoTime(time) : null);

function toDelivery(delivery: DeliveryReply): WebhookDelivery {
  return {
    id: delivery.id ?? '',
    type: delivery.type ?? '',
    state: oneOf(webhookDeliveryStates, delivery.state) ?? 'waiting',
    attempts: delivery.attempts ?? 0,
    responseStatus: delivery.responseStatus ?? null,
    reason: oneOf(webhookDeliveryReasons, delivery.reason) ?? null,
    createdAt: toIsoTime(delivery.createdAt),
    attemptedAt: timeOrNull(delivery.attemptedAt),
    nextAttemptAt: timeOrNull(delivery.nextAttemptAt),
  };
}

function toWebhook(webhook: WebhookReply): Webhook {
  return {
    id: webhook.id ?? '',
    url: webhook.url ?? '',
    description: webhook.description ?? '',
    // Skips event types that this version does not know.
    events: webhook.events.flatMap((type) => webhookEventType.safeParse(type).data ?? []),
    state: oneOf(webhookStates, webhook.state) ?? 'disabled',
    reason: oneOf(webhookInactivityReasons, webhook.reason) ?? null,
    createdAt: toIsoTime(webhook.createdAt),
    oldSecretUntil: timeOrNull(webhook.oldSecretUntil),
    failingSince: timeOrNull(webhook.failingSince),
    lastDelivery: webhook.lastDelivery ? toDelivery(webhook.lastDelivery) : null,
  };
}

function withSecret({ webhook, secret }: SecretReply): WebhookWithSecret {
  if (!webhook || secret === undefined) throw createInternalError(new Error('notifications returned no secret.'));
  return { webhook: toWebhook(webhook), secret };
}

/** Routes for a user's own webhooks. */
export function bindWebhooks(bind: BindRoute, context: Pick<GatewayContext, 'webhooks'>): void {
  /**
   * Identifies the caller. Changing a webhook's target or signing secret requires fresh proof. The credential may be a
   * token instead of a session.
   */
  const proving = ({ userId: actorId, sessionId, scopes }: RequestActor) =>
    scopes ? { actorId, tokenId: sessionId } : { actorId, sessionId };
  const named = (actor: RequestActor, webhookId: string) => ({ actorId: actor.userId, webhookId });

  bind(routes.listWebhooks, async ({ actor, rpc }) => {
    const { webhooks } = await webhooksOf(context).listWebhooks({ actorId: actor.userId }, rpc);
    return webhooks.map(toWebhook);
  });
  bind(routes.createWebhook, async ({ actor, body, rpc }) =>
    withSecret(await webhooksOf(context).createWebhook({ ...body, ...proving(actor) }, rpc)),
  );
  bind(routes.getWebhook, async ({ actor, params, rpc }) =>
    toWebhook(await webhooksOf(context).getWebhook(named(actor, params.id), rpc)),
  );
  bind(routes.updateWebhook, async ({ actor, params, body, rpc }) => {
    const { events, url, ...rest } = body;
    const change = { ...rest, url, events: events && { types: events }, ...proving(actor), webhookId: params.id };
    return toWebhook(await webhooksOf(context).updateWebhook(change, rpc));
  });
  bind(routes.deleteWebhook, async ({ actor, params, rpc }) => {
    await webhooksOf(context).deleteWebhook(named(actor, params.id), rpc);
  });
  bind(routes.rotateWebhookSecret, async ({ actor, params, rpc }) =>
    withSecret(await webhooksOf(context).rotateSecret({ ...proving(actor), webhookId: params.id }, rpc)),
  );
  bind(routes.testWebhook, async ({ actor, params, rpc }) =>
    toDelivery(await webhooksOf(context).sendTestEvent(named(actor, params.id), rpc)),
  );
  bind(routes.listWebhookDeliveries, async ({ actor, params, query, rpc, response }) => {
    const page = await webhooksOf(context).listDeliveries({ ...named(actor, params.id), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.deliveries.map(toDelivery);
  });
  bind(routes.resendWebhookDelivery, async ({ actor, params, rpc }) => {
    const { id, deliveryId } = params;
    return toDelivery(await webhooksOf(context).resendDelivery({ ...named(actor, id), deliveryId }, rpc));
  });
}
