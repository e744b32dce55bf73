import type { Id, UserId } from '@nolo/kit/ids';
import type { WebhookDeliveryReason, WebhookReason, WebhookState } from '@nolo/rules';

export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;

/** A webhook as its owner sees it; what the plan does to it is not in here. */
export interface Webhook {
  readonly id: WebhookId;
  readonly userId: UserId;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly state: WebhookState;
  readonly reason: WebhookReason | null;
  readonly oldSecretUntil: Date | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** `ready` is due and waits for others to the same webhook. */
export type StoredState = 'waiting' | 'ready' | 'sending' | 'delivered' | 'failed';

export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly type: string;
  readonly state: StoredState;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly reason: WebhookDeliveryReason | null;
  readonly createdAt: Date;
  readonly attemptedAt: Date | null;
  readonly nextAttemptAt: Date | null;
}

/** One request that is to be made. */
export interface Attempt {
  readonly delivery: Delivery;
  readonly userId: UserId;
  readonly url: string;
  /** Byte for byte the same with every attempt. */
  readonly body: string;
  /** The one of now, and the one of before while that still signs. */
  readonly secrets: readonly string[];
}

/** What came of a request. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'gone'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly reason: Extract<WebhookDeliveryReason, 'status' | 'timeout' | 'unreachable' | 'refused'>;
      readonly status: number | null;
    };

/** Something that happened, as it is told; `data` holds ids and states. */
export interface Told {
  readonly type: string;
  /** The event's own id, by which it is known again. */
  readonly eventId: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is sent, as text (Standard Webhooks: type, timestamp, data). */
export const bodyOf = ({ type, at, data }: Omit<Told, 'eventId'>): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
