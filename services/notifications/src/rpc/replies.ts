import type { Delivery as DeliveryReply, Webhook as WebhookReply } from '@nolo/proto/webhooks';
import type { ListedWebhook } from '../domain/ports.ts';
import type { StoredWebhookDelivery } from '../domain/webhook.ts';

export const toWebhookDeliveryReply = (delivery: StoredWebhookDelivery): DeliveryReply => ({
  id: delivery.id,
  type: delivery.type,
  state: delivery.state === 'ready' ? 'waiting' : delivery.state,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus ?? undefined,
  reason: delivery.reason ?? undefined,
  createdAt: delivery.createdAt,
  attemptedAt: delivery.attemptedAt ?? undefined,
  nextAttemptAt: delivery.nextAttemptAt ?? undefined,
});

/** @param allowed true if the plan includes webhooks; otherwise active ones appear as paused */
export function toWebhookReply({ webhook, last }: ListedWebhook, allowed: boolean): WebhookReply {
  const stopped = webhook.state === 'active' && !allowed;
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: [...webhook.events],
    state: stopped ? 'paused' : webhook.state,
    reason: stopped ? 'plan' : (webhook.reason ?? undefined),
    createdAt: webhook.createdAt,
    oldSecretUntil: webhook.oldSecretUntil ?? undefined,
    failingSince: webhook.failingSince ?? undefined,
    lastDelivery: last && toWebhookDeliveryReply(last),
  };
}
