import type { UserId } from '@nolo/kit/ids';
import type {
  WebhookAttempt,
  StoredWebhookDelivery,
  WebhookDeliveryId,
  WebhookOutcome,
  WebhookEvent,
  Webhook,
  WebhookId,
} from './webhook.ts';

interface NewWebhook {
  readonly id: WebhookId;
  readonly userId: UserId;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly secret: string;
  /** Current plan of the account. */
  readonly plan: string;
}

/** Change of a webhook. Absent fields stay unchanged. */
interface WebhookChange {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly string[];
  readonly state?: 'active' | 'paused';
}

/** Webhook with its latest or pending delivery. */
export interface ListedWebhook {
  readonly webhook: Webhook;
  readonly last: StoredWebhookDelivery | undefined;
}

export interface WebhookStore {
  list(userId: UserId): Promise<ListedWebhook[]>;
  find(userId: UserId, id: WebhookId): Promise<ListedWebhook | undefined>;
  /** Returns undefined if the account has reached its limit. */
  add(webhook: NewWebhook, now: Date): Promise<Webhook | undefined>;
  change(userId: UserId, id: WebhookId, change: WebhookChange): Promise<boolean>;
  remove(userId: UserId, id: WebhookId): Promise<boolean>;
  /** Replaces the secret. The previous secret signs too until `oldUntil`. */
  rotate(userId: UserId, id: WebhookId, secret: string, oldUntil: Date): Promise<boolean>;
  /** Silences an account's webhooks while it is closed. */
  setOwnerClosed(userId: UserId, isClosed: boolean): Promise<void>;
  /** Deletes all data of the account. */
  forget(userId: UserId): Promise<void>;
  /** Returns true if any webhook subscribes to this type. */
  hasSubscribers(type: string): Promise<boolean>;
  /** Returns which of these accounts have a webhook that subscribes to this type and existed when it happened. */
  filterSubscribedUsers(userIds: readonly UserId[], type: string, at: Date): Promise<UserId[]>;
  /**
   * Stores the plan. If the previous plan is known and different, writes the webhook deliveries that `createEvent`
   * builds from it.
   */
  recordPlan(userId: UserId, plan: string, createEvent: (previous: string) => WebhookEvent): Promise<void>;
  hasAny(userId: UserId): Promise<boolean>;
  /** Re-encrypts secrets that use an older key, `pageSize` at a time. Returns their number. */
  reseal(pageSize: number): Promise<number>;
  countByState(): Promise<{ state: string; count: number }[]>;
}

export interface WebhookDeliveryCursor {
  readonly at: Date;
  readonly id: WebhookDeliveryId;
}

export interface WebhookDeliveryStore<Transaction> {
  /** Writes deliveries to the webhooks of these accounts. Repeated events are written once. */
  enqueueDeliveries(userIds: readonly UserId[], webhookEvent: WebhookEvent): Promise<number>;
  /** Writes a delivery to this webhook regardless of its subscriptions. Undefined if it is not active. */
  test(userId: UserId, webhookId: WebhookId, webhookEvent: WebhookEvent): Promise<StoredWebhookDelivery | undefined>;
  list(webhookId: WebhookId, after: WebhookDeliveryCursor | undefined, limit: number): Promise<StoredWebhookDelivery[]>;
  /** Resends it immediately. */
  resend(
    webhookId: WebhookId,
    id: WebhookDeliveryId,
    now: Date,
  ): Promise<StoredWebhookDelivery | 'missing' | 'under way' | 'not active'>;
  /**
   * Starts an attempt. Undefined if none is needed: it is settled, the webhook is inactive, or its maximum is in
   * flight. The job then ends through `finish`.
   */
  begin(
    id: WebhookDeliveryId,
    now: Date,
    finish: (trx: Transaction) => Promise<void>,
  ): Promise<WebhookAttempt | undefined>;
  /** Gives up without an attempt because the plan excludes webhooks. */
  dropForPlan(id: WebhookDeliveryId, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  /**
   * Stores the outcome of an attempt. `retryAfterMs`: milliseconds until the next one, undefined if the job has ended.
   */
  settle(
    attempt: WebhookAttempt,
    outcome: WebhookOutcome,
    ending: { now: Date; retryAfterMs: number | undefined; finish: (trx: Transaction) => Promise<void> },
  ): Promise<{ retryAfterMs: number | undefined; disabled: boolean }>;
  /** Releases deliveries that waited for a webhook that has capacity again. Returns their number. */
  release(): Promise<number>;
  /** Deletes older deliveries and returns their number. */
  sweep(before: Date, limit: number): Promise<number>;
  countOpen(): Promise<{ state: string; count: number }[]>;
}
