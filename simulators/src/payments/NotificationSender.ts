import { randomUUID } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import type { DeliveryMode, GatewayName, GatewaySwitches } from './switches.ts';

/** Request that the gateway sends to the merchant. */
export interface NotificationRequest {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SimulatedNotification extends NotificationRequest {
  readonly id: string;
  readonly gateway: GatewayName;
  /** Gateway's id of the payment. */
  readonly payment: string;
  readonly event: string;
  readonly delivery: DeliveryMode;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly attempts: { readonly at: string; readonly status?: number; readonly error?: string }[];
}

const maxKeptNotifications = 1_000;
const timeoutMs = 20_000;
/** Seconds before each retry if the merchant does not answer with 2xx; both gateways retry for days. */
const retrySeconds = [1, 2, 5, 15, 60, 300, 900];

/** Sends notifications as the switches say, and stores them. */
export class NotificationSender {
  readonly #clock: Clock;
  readonly #kept: SimulatedNotification[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  /** First events of payments with out-of-order delivery, held until the second event is sent. */
  readonly #delayed = new Map<string, SimulatedNotification>();
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after the first attempt, if one is due now. */
  async send(
    about: { gateway: GatewayName; payment: string; event: string },
    message: NotificationRequest,
    { delivery, lateSeconds }: Pick<GatewaySwitches, 'delivery' | 'lateSeconds'>,
  ): Promise<void> {
    const createdAt = this.#clock.now().toISOString();
    const notification = { ...about, ...message, id: randomUUID(), delivery, createdAt, attempts: [] };
    this.#kept.push(notification);
    if (this.#kept.length > maxKeptNotifications) this.#kept.shift();
    if (delivery === 'never') return;
    if (delivery === 'late') return this.#later(() => this.#attempt(notification, 0), lateSeconds);
    if (delivery === 'out_of_order') return await this.#reorder(notification);
    await this.#attempt(notification, 0);
    if (delivery === 'twice') await this.#attempt(notification, 0);
  }

  /** Resends a notification by hand, whether held, late, lost or already sent. */
  async resend(id: string): Promise<boolean> {
    const notification = this.#kept.find((one) => one.id === id);
    if (!notification) return false;
    await this.#attempt(notification, 0);
    return true;
  }

  /** Newest first. */
  list(gateway?: GatewayName): SimulatedNotification[] {
    return this.#kept.filter((one) => gateway === undefined || one.gateway === gateway).toReversed();
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #reorder(notification: SimulatedNotification): Promise<void> {
    const key = `${notification.gateway} ${notification.payment}`;
    const delayed = this.#delayed.get(key);
    if (!delayed) return void this.#delayed.set(key, notification);
    this.#delayed.delete(key);
    await this.#attempt(notification, 0);
    await this.#attempt(delayed, 0);
  }

  async #attempt(notification: SimulatedNotification, count: number): Promise<void> {
    const { to, headers, body } = notification;
    const at = this.#clock.now().toISOString();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const reply = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal });
      await reply.body?.cancel();
      notification.attempts.push({ at, status: reply.status });
      if (reply.ok) return;
    } catch (error) {
      const { cause, name } = error as { name: string; cause?: { code?: string } };
      notification.attempts.push({ at, error: cause?.code ?? name });
    }
    const seconds = retrySeconds[count];
    if (seconds !== undefined) this.#later(() => this.#attempt(notification, count + 1), seconds);
  }

  #later(work: () => Promise<void>, seconds: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, seconds * 1_000);
    timer.unref();
    this.#timers.add(timer);
  }
}
