import { randomUUID } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { z } from 'zod';

/** Message that a service submits for sending. */
export const outgoingMessage = z.object({
  channel: z.enum(['sms', 'mail']),
  to: z.string().trim().min(1).max(320),
  subject: z.string().max(998).optional(),
  text: z.string().max(100_000),
});

export type OutgoingMessage = z.output<typeof outgoingMessage>;

export interface OutboxMessage extends OutgoingMessage {
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/** Stores the newest messages in memory; the oldest are evicted. */
export class Outbox {
  static readonly capacity = 1000;
  readonly #messages: OutboxMessage[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(message: OutgoingMessage): OutboxMessage {
    const kept = { ...message, id: randomUUID(), createdAt: this.#clock.now().toISOString() };
    this.#messages.push(kept);
    if (this.#messages.length > Outbox.capacity) this.#messages.shift();
    return kept;
  }

  /** Newest first. */
  list(options: { to?: string | undefined; limit?: number } = {}): OutboxMessage[] {
    const wanted = options.to?.trim().toLowerCase();
    const matching = wanted ? this.#messages.filter(({ to }) => to.toLowerCase() === wanted) : [...this.#messages];
    return matching.reverse().slice(0, options.limit ?? Outbox.capacity);
  }
}
