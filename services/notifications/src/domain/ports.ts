import type { UserId } from '@nolo/kit/ids';
import type { Attempt, Delivery, DeliveryId, Outcome, Told, Webhook, WebhookId } from './webhook.ts';

export interface NewWebhook {
  readonly id: WebhookId;
  readonly userId: UserId;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly secret: string;
  /** The plan that the account has now. */
  readonly plan: string;
}

/** What is absent stays. */
export interface WebhookChange {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly string[];
  readonly state?: 'active' | 'paused';
}

/** A webhook, and what was last sent to it or is to be. */
export interface ListedWebhook {
  readonly webhook: Webhook;
  readonly last: Delivery | undefined;
}

export interface WebhookStore {
  list(userId: UserId): Promise<ListedWebhook[]>;
  find(userId: UserId, id: WebhookId): Promise<ListedWebhook | undefined>;
  /** Undefined where the account has as many as it may. */
  add(webhook: NewWebhook, now: Date): Promise<Webhook | undefined>;
  change(userId: UserId, id: WebhookId, change: WebhookChange): Promise<boolean>;
  remove(userId: UserId, id: WebhookId): Promise<boolean>;
  /** The secret of before signs along until then. */
  rotate(userId: UserId, id: WebhookId, secret: string, oldUntil: Date): Promise<boolean>;
  /** While an account is closed to be deleted its webhooks are told of nothing. */
  setOwnerClosed(userId: UserId, isClosed: boolean): Promise<void>;
  /** Nothing of the account stays. */
  forget(userId: UserId): Promise<void>;
  /** Whether any webhook of anybody is told of this. */
  anyHears(type: string): Promise<boolean>;
  /** Of these accounts, those with a webhook that is told of this and was there when it happened. */
  hearing(userIds: readonly UserId[], type: string, at: Date): Promise<UserId[]>;
  /** Notes the plan; answers with the one of before where that is known and was another. Writes what webhooks are told of it. */
  notePlan(userId: UserId, plan: string, told: (previous: string) => Told): Promise<void>;
  hasAny(userId: UserId): Promise<boolean>;
  /** Puts secrets that lie under an older key under the first one, so many read at a time; answers with how many these were. */
  reseal(pageSize: number): Promise<number>;
  countByState(): Promise<{ state: string; count: number }[]>;
}

export interface DeliveryPlace {
  readonly at: Date;
  readonly id: DeliveryId;
}

export interface DeliveryStore<Transaction> {
  /** Writes what the webhooks of these accounts are told, each once however often it is said. */
  tell(userIds: readonly UserId[], told: Told): Promise<number>;
  /** To this webhook alone, whatever it is subscribed to; undefined where it is not active. */
  test(userId: UserId, webhookId: WebhookId, told: Told): Promise<Delivery | undefined>;
  list(webhookId: WebhookId, after: DeliveryPlace | undefined, limit: number): Promise<Delivery[]>;
  /** Sends it again, now. */
  resend(webhookId: WebhookId, id: DeliveryId, now: Date): Promise<Delivery | 'missing' | 'under way' | 'not active'>;
  /**
   * Begins an attempt. Undefined where there is none to make: it is settled already, its webhook takes none, or as many as
   * may be are under way to it; the job ends with that, by `finish`.
   */
  begin(id: DeliveryId, now: Date, finish: (trx: Transaction) => Promise<void>): Promise<Attempt | undefined>;
  /** Gives up without an attempt, because the plan has no webhooks. */
  dropForPlan(id: DeliveryId, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Writes how an attempt ended; answers in how many milliseconds the next is due, or undefined where the job has ended. */
  settle(
    attempt: Attempt,
    outcome: Outcome,
    ending: { now: Date; retryAfterMs: number | undefined; finish: (trx: Transaction) => Promise<void> },
  ): Promise<{ retryAfterMs: number | undefined; disabled: boolean }>;
  /** Lets go on what waits for a webhook that has room again; answers with how many these were. */
  release(): Promise<number>;
  /** Deletes what is older; answers with how many that were. */
  sweep(before: Date, limit: number): Promise<number>;
  countOpen(): Promise<{ state: string; count: number }[]>;
}
