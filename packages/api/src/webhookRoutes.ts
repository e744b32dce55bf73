import { webhookLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import { id } from './schemas.ts';
import { newWebhook, webhook, webhookChange, webhookDelivery, webhookWithSecret } from './webhookSchemas.ts';

const reads = { access: 'session', tag: 'webhooks', scope: 'webhooks:read' } as const;
const writes = {
  access: 'session',
  tag: 'webhooks',
  scope: 'webhooks:write',
  limit: 'webhookChangesPerUser',
} as const;
const away = 'webhooks_unavailable';
const atOne = [away, 'webhook_not_found'] as const;
const given = ['plan_limit', 'webhook_url_invalid', 'webhook_url_refused', 'webhook_events_invalid'] as const;

/** Webhooks, if the operator has set the service up (`features.webhooks`); docs/webhooks.md. */
export const webhookRoutes = {
  listWebhooks: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/webhooks',
    summary: `List your webhooks, oldest first, ${webhookLimits.perAccount} at most`,
    reply: z.array(webhook),
    errors: [away],
  }),
  createWebhook: defineRoute({
    ...writes,
    proof: 'account',
    method: 'POST',
    path: '/api/webhooks',
    status: 201,
    summary: 'Create a webhook; the signing secret appears in this answer only',
    body: newWebhook,
    example: { url: 'https://example.org/nolo', events: ['meeting.started', 'meeting.ended'] },
    reply: webhookWithSecret,
    errors: [away, ...given, 'too_many_webhooks'],
  }),
  getWebhook: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/webhooks/{id}',
    summary: 'Get one of your webhooks',
    params: idParams,
    reply: webhook,
    errors: atOne,
  }),
  updateWebhook: defineRoute({
    ...writes,
    proof: 'account',
    proofWith: 'url',
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    summary: 'Change the given fields; pause the webhook, or resume it, even after it was disabled',
    params: idParams,
    body: webhookChange,
    example: { state: 'paused' },
    reply: webhook,
    errors: [...atOne, ...given],
  }),
  deleteWebhook: defineRoute({
    ...writes,
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    status: 204,
    summary: 'Delete a webhook and the record of its deliveries',
    params: idParams,
    errors: atOne,
  }),
  rotateWebhookSecret: defineRoute({
    ...writes,
    proof: 'account',
    method: 'POST',
    path: '/api/webhooks/{id}/rotate',
    summary: `Replace the secret; for ${webhookLimits.oldSecretHours} hours, requests are also signed with the old one`,
    params: idParams,
    reply: webhookWithSecret,
    errors: [...atOne, 'plan_limit'],
  }),
  testWebhook: defineRoute({
    ...writes,
    method: 'POST',
    path: '/api/webhooks/{id}/test',
    status: 201,
    summary: 'Send an event of the type `webhook.test`',
    params: idParams,
    reply: webhookDelivery,
    errors: [...atOne, 'plan_limit', 'webhook_not_active'],
  }),
  listWebhookDeliveries: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: `List sent and pending deliveries, newest first; stored for ${webhookLimits.deliveryDays} days`,
    params: idParams,
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(webhookLimits.deliveriesPerPage)) }),
    reply: z.array(webhookDelivery),
    errors: [...atOne, 'cursor_invalid'],
  }),
  resendWebhookDelivery: defineRoute({
    ...writes,
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{deliveryId}/resend',
    summary: 'Resend a delivery under the same id, or send one now that is waiting for its next attempt',
    params: z.object({ id, deliveryId: id }),
    reply: webhookDelivery,
    errors: [...atOne, 'delivery_not_found', 'delivery_under_way', 'plan_limit', 'webhook_not_active'],
  }),
} as const;
