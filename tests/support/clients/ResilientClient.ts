import type { Message } from '@nolo/api';
import { eventually, type TestUser } from '@nolo/testing';
import type { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import type { ChaosHistory } from './ChaosHistory.ts';
import { ObservedClient } from './ObservedClient.ts';

interface Options {
  name: string;
  user: TestUser;
  history: ChaosHistory;
  watch: LiveDeliveryChecker;
  /** Returns a number from 0 inclusive to 1 exclusive, from the seed of the run. */
  random: () => number;
}

/**
 * Interval of messages from a talking client, and the limit of unacknowledged ones. Two devices of one account stay
 * below its limit of 600 messages a minute.
 */
const talkEveryMs = 220;
const maxPendingMessages = 3;
/** Number of messages between two changes. */
const amendEvery = 9;

/** Client whose screen is watched: what it shows is checked whenever it changes. */
export class ResilientClient extends ObservedClient {
  readonly user: TestUser;
  readonly #watch: LiveDeliveryChecker;
  readonly #random: () => number;
  readonly #conversations: string[] = [];
  #talking: NodeJS.Timeout | undefined;
  #sentCount = 0;

  constructor({ name, user, history, watch, random }: Options) {
    const { baseUrl: origin, token = '' } = user.api;
    super({ name, userId: user.id, token, origin, history, watch, random });
    this.user = user;
    this.#watch = watch;
    this.#random = random;
    this.engine.store.subscribe((state, before) => {
      for (const [conversationId, timeline] of Object.entries(state.timelines)) {
        const known = before.timelines[conversationId]?.messages ?? [];
        if (known === timeline.messages) continue;
        // An unchanged beginning needs no second check.
        const from = known[0] === timeline.messages[0] ? known.length : 0;
        history.shows(name, conversationId, timeline.messages, from);
      }
    });
  }

  async open(conversationIds: readonly string[]): Promise<void> {
    this.engine.start();
    await eventually(() => this.connection === 'open');
    for (const conversationId of conversationIds) {
      await this.engine.open(conversationId);
      this.#conversations.push(conversationId);
      this.#watch.follows(this.name, conversationId);
    }
  }

  /** Number of messages and changes without an acknowledgement. */
  get pending(): number {
    return this.#conversations.reduce((sum, id) => sum + this.#timeline(id).pending.length, this.unanswered);
  }

  shown(conversationId: string): readonly Message[] {
    return this.#timeline(conversationId).messages;
  }

  #timeline(conversationId: string) {
    return this.engine.store.getState().timelines[conversationId] ?? { messages: [], pending: [] };
  }

  /** Sends to one conversation after another, until stopped. */
  talk(): void {
    this.#talking ??= setInterval(() => {
      const conversationId = this.#conversations[this.#sentCount % this.#conversations.length] ?? '';
      if (this.#timeline(conversationId).pending.length >= maxPendingMessages) return;
      this.sendMessage(conversationId);
      if (this.#sentCount % amendEvery === 0) this.#amend();
    }, talkEveryMs);
  }

  /** Edits or erases one of its own messages. */
  #amend(): void {
    const [message] = this.own.splice(Math.floor(this.#random() * this.own.length), 1);
    if (!message) return;
    const content = this.#random() < 0.3 ? null : `${message.content}, or rather ${this.#sentCount}`;
    void this.amend(message, content);
  }

  sendMessage(conversationId: string): void {
    this.#sentCount += 1;
    this.engine.send(conversationId, `${this.name} ${this.#sentCount}`);
  }

  fallSilent(): void {
    clearInterval(this.#talking);
    this.#talking = undefined;
  }

  override stop(): void {
    this.fallSilent();
    super.stop();
  }
}
