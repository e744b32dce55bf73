import type { UserId } from '@nolo/kit/ids';
import type { WebhookDeliveryReason, WebhookInactivityReason, WebhookState } from '@nolo/rules';
import type {
  StoredWebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryPhase,
  Webhook,
  WebhookId,
} from '../domain/webhook.ts';

export interface WebhookRow {
  id: WebhookId;
  user_id: UserId;
  url: string;
  description: string;
  events: string[];
  state: WebhookState;
  reason: WebhookInactivityReason | null;
  sealed_secret: Buffer;
  sealed_old_secret: Buffer | null;
  old_secret_until: Date | null;
  failing_since: Date | null;
  /** True while its account is closed. */
  owner_closed: boolean;
  created_at: Date;
}

export interface WebhookDeliveryRow {
  id: WebhookDeliveryId;
  webhook_id: WebhookId;
  type: string;
  body: string;
  state: WebhookDeliveryPhase;
  attempts: number;
  response_status: number | null;
  reason: WebhookDeliveryReason | null;
  created_at: Date;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
}

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  userId: row.user_id,
  url: row.url,
  description: row.description,
  events: row.events,
  state: row.state,
  reason: row.reason,
  oldSecretUntil: row.old_secret_until,
  failingSince: row.failing_since,
  createdAt: row.created_at,
});

export const toStoredWebhookDelivery = (row: WebhookDeliveryRow): StoredWebhookDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  responseStatus: row.response_status,
  reason: row.reason,
  createdAt: row.created_at,
  attemptedAt: row.attempted_at,
  nextAttemptAt: row.next_attempt_at,
});
