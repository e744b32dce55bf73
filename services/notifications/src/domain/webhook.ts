import type { BrandedId, UserId } from '@nolo/kit/ids';
import type { WebhookDeliveryReason, WebhookInactivityReason, WebhookState } from '@nolo/rules';

export type WebhookId = BrandedId<'webhook'>;
export type WebhookDeliveryId = BrandedId<'delivery'>;

/** Webhook as its owner sees it, regardless of the plan. */
export interface Webhook {
  readonly id: WebhookId;
  readonly userId: UserId;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly state: WebhookState;
  readonly reason: WebhookInactivityReason | null;
  readonly oldSecretUntil: Date | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** State of a delivery. `ready`: due, but waiting for others to the same webhook. */
export type WebhookDeliveryPhase = 'waiting' | 'ready' | 'sending' | 'delivered' | 'failed';

export interface StoredWebhookDelivery {
  readonly id: WebhookDeliveryId;
  readonly webhookId: WebhookId;
  readonly type: string;
  readonly state: WebhookDeliveryPhase;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly reason: WebhookDeliveryReason | null;
  readonly createdAt: Date;
  readonly attemptedAt: Date | null;
  readonly nextAttemptAt: Date | null;
}

/** Request to make. */
export interface WebhookAttempt {
  readonly delivery: StoredWebhookDelivery;
  readonly userId: UserId;
  readonly url: string;
  /** Body, byte-identical in every attempt. */
  readonly body: string;
  /** Current secret, and the previous one while it still signs. */
  readonly secrets: readonly string[];
}

/** Outcome of a request. */
export type WebhookOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'gone'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly reason: Extract<WebhookDeliveryReason, 'status' | 'timeout' | 'unreachable' | 'refused'>;
      readonly status: number | null;
    };

/** Event as it is delivered. `data` contains IDs and states. */
export interface WebhookEvent {
  readonly type: string;
  /** ID of the event, which identifies repetitions. */
  readonly eventId: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the body as text (Standard Webhooks: type, timestamp, data). */
export const toWebhookBody = ({ type, at, data }: Omit<WebhookEvent, 'eventId'>): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
