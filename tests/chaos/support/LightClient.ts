import type { Message, ServerFrame } from '@nolo/api';
import type { GatewayClient } from '@nolo/testing';
import type { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import type { LiveDeliveryChecker } from '../../support/clients/LiveDeliveryChecker.ts';
import { createHeadlessFetch } from '../../support/clients/createHeadlessFetch.ts';
import { ObservedClient } from '../../support/clients/ObservedClient.ts';
import type { ReceiptLedger } from '../../support/clients/ReceiptLedger.ts';
import type { ChaosTraffic } from './traffic.ts';

interface Options {
  name: string;
  userId: string;
  token: string;
  /** Gateways; if one does not answer, the next is tried. */
  gatewayClients: readonly GatewayClient[];
  /** Index of the first gateway to use. */
  gatewayIndex: number;
  history: ChaosHistory;
  watch: LiveDeliveryChecker;
  receipts: ReceiptLedger;
  random: () => number;
  traffic: ChaosTraffic;
}

/** Maximum unacknowledged messages per conversation. */
const maxPendingPerConversation = 3;
const maxReactableMessages = 20;
const amendShare = 0.06;
const eraseShare = 0.3;
const reactShare = 0.06;
const readShare = 0.06;
const emojis = ['👍', '❤️', '😂', null] as const;
const retryMs = 500;

/**
 * Client for volume: the engine that people use, on connections that many share, at whichever gateway answers. Sends,
 * changes, reacts, and reads, and reports every state of a message that its engine has.
 */
export class LightClient extends ObservedClient {
  readonly #options: Options;
  readonly #conversations: string[] = [];
  /** Highest seq delivered live, by conversation. */
  readonly #seen = new Map<string, number>();
  /** Recent messages from others. */
  #others: { id: string; clientMessageId: string }[] = [];
  #sentCount = 0;
  /** Number of reactions and cursors without an answer yet. */
  #acting = 0;
  /** Indexes of the first gateway, by which requests in flight count, and of the current one. */
  readonly #home: number;
  #gatewayIndex: number;
  #isListed = false;
  readonly #fetch = createHeadlessFetch((method, path, body) => this.#send(method, path, body));

  constructor(options: Options) {
    const { gatewayClients, gatewayIndex, history, name, random, token, traffic, userId, watch } = options;
    const { url: origin } = gatewayClients[gatewayIndex % gatewayClients.length]!;
    super({ name, userId, token, origin, history, watch, random });
    this.#options = options;
    this.#home = gatewayIndex % gatewayClients.length;
    this.#gatewayIndex = this.#home;
    this.engine.store.subscribe((state, before) => {
      if (state.connection !== before.connection) this.#isListed = false;
      if (before.connection === 'open' && state.connection !== 'open' && !this.stopped) traffic.breaks += 1;
      // The next attempt goes to another gateway.
      if (state.connection === 'reconnecting' || state.connection === 'waiting') this.#gatewayIndex += 1;
      for (const [id, { messages }] of Object.entries(state.timelines)) {
        const known = before.timelines[id]?.messages;
        if (known === messages) continue;
        const shift = (messages[0]?.seq ?? 0) - (known?.[0]?.seq ?? 0);
        messages.forEach((message, index) => {
          if (known?.[index + shift] !== message) history.sees(name, message);
        });
      }
    });
  }

  follow(conversationId: string): void {
    this.#conversations.push(conversationId);
    this.#options.watch.follows(this.name, conversationId);
  }

  start(): void {
    this.engine.start();
  }

  /** True if connected and complete as far as the client knows. */
  get whole(): boolean {
    return (
      this.connection === 'open' &&
      this.#isListed &&
      this.#conversations.every((id) => this.completeUpTo(id) >= (this.#state.conversations[id]?.changeSeq ?? 0))
    );
  }

  /** Says what the client lacks, for a person who reads the report. */
  get state(): string {
    const behind = this.#conversations.filter(
      (id) => this.completeUpTo(id) < (this.#state.conversations[id]?.changeSeq ?? 0),
    );
    const gaps = behind.map(
      (id) =>
        `${id} ${this.#state.timelines[id]?.status} ${this.completeUpTo(id)} of ${this.#state.conversations[id]?.changeSeq}`,
    );
    return [this.connection, this.#isListed ? 'listed' : 'not listed', ...gaps].join(', ');
  }

  /** Number of actions without an answer yet. */
  get pending(): number {
    return this.#conversations.reduce((sum, id) => sum + this.#pendingIn(id), this.#acting + this.unanswered);
  }

  /** Highest change that the client has, with all before it. */
  completeUpTo(conversationId: string): number {
    const timeline = this.#state.timelines[conversationId];
    return timeline?.status === 'ready' ? timeline.changeSeq : -1;
  }

  get #state() {
    return this.engine.store.getState();
  }

  #pendingIn(conversationId: string): number {
    return this.#state.timelines[conversationId]?.pending.length ?? 0;
  }

  /** Sends or changes something, unless too much is in flight. */
  act(): void {
    const { traffic, random } = this.#options;
    if ((traffic.inFlight[this.#home] ?? 0) >= traffic.maxInFlight) return;
    if (random() < amendShare && this.own.length > 0) {
      this.#amend();
      return;
    }
    if (random() < reactShare && this.#others.length > 0) {
      void this.#do(() => this.#react());
      return;
    }
    const conversationId = this.#conversations[this.#sentCount % this.#conversations.length] ?? '';
    if (random() < readShare && this.#seen.has(conversationId)) {
      void this.#do(() => this.#read(conversationId));
      return;
    }
    this.#sentCount += 1;
    if (this.#pendingIn(conversationId) < maxPendingPerConversation)
      this.engine.send(conversationId, `${this.name} ${this.#sentCount}`);
  }

  async #do(work: () => Promise<void>): Promise<void> {
    this.#acting += 1;
    try {
      await work();
    } catch (error) {
      this.#options.history.violation(`${this.name}: ${String(error)}`);
    } finally {
      this.#acting -= 1;
    }
  }

  #amend(): void {
    const { random } = this.#options;
    const [own] = this.own.splice(Math.floor(random() * this.own.length), 1);
    if (!own) return;
    this.#sentCount += 1;
    void this.amend(own, random() < eraseShare ? null : `${own.content}, or rather ${this.#sentCount}`);
  }

  /** Repeats a request until it is answered. Returns undefined if the answer is `refusal`. */
  async #insist<T>(request: () => Promise<T>, onUnknown = () => {}, refusal?: number): Promise<T | undefined> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        const { status = 0 } = error as { status?: number };
        if (status === refusal) return undefined;
        if (status >= 400 && status < 500 && status !== 429) throw error;
        if (status !== 429) onUnknown();
        await this.pause(retryMs);
      }
    }
  }

  /** Marks as read what was delivered in a conversation. */
  async #read(conversationId: string): Promise<void> {
    const { receipts, userId } = this.#options;
    const readSeq = this.#seen.get(conversationId) ?? 0;
    const cursors = [{ conversationId, deliveredSeq: readSeq, readSeq }];
    const reply = (await this.#insist(() => this.engine.internals.core.api.moveCursors(cursors))) as {
      cursors: { readSeq: number }[];
    };
    receipts.acknowledges(conversationId, userId, readSeq, reply.cursors[0]?.readSeq ?? 0);
  }

  async #react(): Promise<void> {
    const { history, random, userId, watch } = this.#options;
    const { moment } = watch;
    const [other] = this.#others.splice(Math.floor(random() * this.#others.length), 1);
    if (!other) return;
    const emoji = emojis[Math.floor(random() * emojis.length)] ?? null;
    const reaction = history.reacts(other.clientMessageId, userId, emoji);
    if (!reaction) return;
    const { api } = this.engine.internals.core;
    // 404 is the answer if the author has erased the message meanwhile.
    const reply = await this.#insist(
      () => api.react(other.id, emoji),
      () => (reaction.unknown += 1),
      404,
    );
    if (reply === undefined) {
      reaction.gone = true;
      return;
    }
    history.reactionAcknowledged(this.name, userId, reaction, reply);
    watch.acknowledged(moment, reply.conversationId, reply.changeSeq);
    this.#others.push(other);
  }

  get #gateway(): GatewayClient {
    const { gatewayClients } = this.#options;
    return gatewayClients[this.#gatewayIndex % gatewayClients.length]!;
  }

  protected override getSocketAddress(): string {
    return this.#gateway.url;
  }

  protected override request(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    return this.#fetch(input, init);
  }

  async #send(method: string, path: string, body: unknown): ReturnType<GatewayClient['send']> {
    const { token, traffic } = this.#options;
    traffic.inFlight[this.#home] = (traffic.inFlight[this.#home] ?? 0) + 1;
    let status = 0;
    try {
      const reply = await this.#gateway.send(token, method, path, body);
      status = reply.status;
      // The engine takes the rows of the list in the same turn.
      if (path === '/api/conversations' && status === 200) setImmediate(() => this.#openAll());
      return reply;
    } finally {
      traffic.inFlight[this.#home] = (traffic.inFlight[this.#home] ?? 1) - 1;
      if (status < 200 || status > 299) traffic.refusals[status] = (traffic.refusals[status] ?? 0) + 1;
      // The next request goes to another gateway.
      if (status === 0 || status >= 500) this.#gatewayIndex += 1;
    }
  }

  #openAll(): void {
    if (this.stopped) return;
    this.#isListed = this.connection === 'open';
    for (const id of this.#conversations)
      if (this.#state.timelines[id]?.status !== 'ready')
        this.engine.open(id).catch(() => this.client.timers.after(retryMs, () => this.engine.refresh()));
  }

  protected override onFrame(frame: ServerFrame): void {
    super.onFrame(frame);
    if (frame.type === 'new_message') this.#remember(frame.data);
    if (frame.type !== 'receipt') return;
    const { conversationId, changeSeq, userId, readSeq } = frame.data;
    if (userId === undefined || readSeq === undefined) return;
    this.#options.receipts.receives(this.name, conversationId, userId, { changeSeq, readSeq });
  }

  #remember({ id, conversationId, seq, senderId, clientMessageId }: Message): void {
    this.#seen.set(conversationId, Math.max(seq, this.#seen.get(conversationId) ?? 0));
    if (senderId === this.#options.userId || clientMessageId === null) return;
    if (this.#others.every((other) => other.id !== id)) this.#others.push({ id, clientMessageId });
    if (this.#others.length > maxReactableMessages) this.#others.shift();
  }
}
