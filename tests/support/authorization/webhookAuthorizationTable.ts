import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import type { AuthorizationCast } from './authorizationCast.ts';
import { all, ownerOnly, type RouteExpectation } from './routeExpectation.ts';

const atWebhook = ({ webhookIds }: AuthorizationCast) => ({ id: webhookIds[0] });

/** Expectations of webhook routes: webhooks belong to their owner alone and do not exist for others. */
export const webhookExpectations = {
  listWebhooks: { attempt: () => ({}), expected: all(200) },
  // The newcomer has a fresh proof, and creates a webhook of their own.
  createWebhook: {
    attempt: () => ({ body: { url: 'http://127.0.0.1:9/nolo', events: ['meeting.started'] } }),
    expected: all(201),
    byNewcomer: true,
  },
  getWebhook: { attempt: atWebhook, expected: ownerOnly(200) },
  updateWebhook: {
    attempt: (cast: AuthorizationCast) => ({ ...atWebhook(cast), body: { description: 'Mine' } }),
    expected: ownerOnly(200),
    withProof: { body: { url: 'http://127.0.0.1:9/other' } },
  },
  deleteWebhook: { attempt: ({ webhookIds }: AuthorizationCast) => ({ id: webhookIds[1] }), expected: ownerOnly(204) },
  // The newcomer has a fresh proof, but the webhook is not theirs.
  rotateWebhookSecret: { attempt: atWebhook, expected: all(404), byNewcomer: true },
  testWebhook: { attempt: atWebhook, expected: ownerOnly(201) },
  listWebhookDeliveries: { attempt: atWebhook, expected: ownerOnly(200) },
  resendWebhookDelivery: {
    attempt: (cast: AuthorizationCast) => ({ ...atWebhook(cast), params: { deliveryId: randomUUID() } }),
    expected: all(404),
  },
} satisfies Partial<Record<RouteName, RouteExpectation>>;
