import { randomUUID } from 'node:crypto';
import type { Message, ServerFrame } from '@nolo/api';
import { limits } from '@nolo/rules';
import { dial } from '@nolo/testing';
import { WebSocket } from 'ws';
import type { LiveDeliveryChecker } from '../../support/LiveDeliveryChecker.ts';
import type { ReceiptLedger } from '../../support/ReceiptLedger.ts';
import { ReceivedChanges } from './ReceivedChanges.ts';
import { ReceivedMessages } from './ReceivedMessages.ts';
import { maxBackoffFailures, RetryingRequests, type RetryingRequestsOptions } from './RetryingRequests.ts';

interface Options extends RetryingRequestsOptions {
  userId: string;
  watch: LiveDeliveryChecker;
  receipts: ReceiptLedger;
}

interface Own {
  id: string;
  clientMessageId: string;
  content: string;
}

type Receipt = Extract<ServerFrame, { type: 'receipt' }>['data'];
type Change = { type: 'message'; message: Message } | { type: 'member' | 'conversation' };

/** Maximum unacknowledged messages per conversation. */
const maxPendingPerConversation = 3;
const maxAmendableMessages = 20;
const amendShare = 0.06;
const eraseShare = 0.3;
const reactShare = 0.06;
const readShare = 0.06;
const emojis = ['👍', '❤️', '😂', null] as const;
/** Silence after which a socket is pinged; it has as long again to answer. */
const quietMs = 3_000;

/**
 * Simulates a client without a screen. Sends messages and changes over plain HTTP until they are acknowledged, and
 * handles socket frames as docs/realtime.md says, closing gaps by `changes`. Cheap enough to run in large numbers.
 */
export class LightClient {
  readonly name: string;
  readonly #options: Options;
  readonly #conversations: string[] = [];
  readonly #changes = new ReceivedChanges((id) => this.#catchUp(id, 'a gap'));
  readonly #catching = new Set<string>();
  readonly #onTheWay = new Map<string, number>();
  readonly #receivedMessages: ReceivedMessages;
  /** Highest seq delivered live, by conversation. */
  readonly #seen = new Map<string, number>();
  #own: Own[] = [];
  /** Recent messages from others. */
  #others: Omit<Own, 'content'>[] = [];
  #sentCount = 0;
  readonly #requests: RetryingRequests;
  #socket: WebSocket | undefined;
  #open = false;
  #failures = 0;
  #synced = false;
  #lastFrameAt = 0;
  /** Number of actions without an answer yet. */
  pending = 0;

  constructor(options: Options) {
    this.name = options.name;
    this.#receivedMessages = new ReceivedMessages(options.name, options.history);
    this.#options = options;
    this.#requests = new RetryingRequests(options);
  }

  follow(conversationId: string): void {
    this.#conversations.push(conversationId);
    this.#options.watch.follows(this.name, conversationId);
  }

  start(): void {
    this.#connect();
  }

  /** True if connected with no fetches in progress. */
  get settled(): boolean {
    return this.#open && this.#synced && this.#catching.size === 0;
  }

  /** True if connected and complete as far as the client knows. */
  get whole(): boolean {
    return this.settled && this.#changes.dense;
  }

  completeUpTo(conversationId: string): number {
    return this.#changes.completeUpTo(conversationId);
  }

  /** Number of gaps that closed by themselves. */
  get swapped(): number {
    return this.#changes.swapped;
  }

  /** Forgets earlier messages, so that it changes only later ones. */
  forget(): void {
    this.#own = [];
    this.#others = [];
    this.#receivedMessages.forget();
  }

  /** Sends or changes something, unless too much is in flight. */
  act(): void {
    const { traffic, random } = this.#options;
    if ((traffic.inFlight[this.#requests.gatewayIndex] ?? 0) >= traffic.maxInFlight) return;
    if (random() < amendShare && this.#own.length > 0) {
      void this.#do(() => this.#amend());
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
    const onTheWay = this.#onTheWay.get(conversationId) ?? 0;
    if (onTheWay >= maxPendingPerConversation) return;
    this.#onTheWay.set(conversationId, onTheWay + 1);
    void this.#do(() => this.#sendMessage(conversationId, `${this.name} ${this.#sentCount}`)).finally(() => {
      this.#onTheWay.set(conversationId, (this.#onTheWay.get(conversationId) ?? 1) - 1);
    });
  }

  async #do(work: () => Promise<void>): Promise<void> {
    const { traffic, history, signal } = this.#options;
    const gatewayIndex = this.#requests.gatewayIndex;
    traffic.inFlight[gatewayIndex] = (traffic.inFlight[gatewayIndex] ?? 0) + 1;
    this.pending += 1;
    try {
      await work();
      this.pending -= 1;
    } catch (error) {
      // An aborted action stays pending, and nobody checks it.
      if (signal.aborted) return;
      this.pending -= 1;
      history.violation(`${this.name}: ${String(error)}`);
    } finally {
      traffic.inFlight[gatewayIndex] = (traffic.inFlight[gatewayIndex] ?? 1) - 1;
    }
  }

  async #sendMessage(conversationId: string, content: string): Promise<void> {
    const { history, watch } = this.#options;
    const clientMessageId = randomUUID();
    const { moment } = watch;
    const body = { conversationId, clientMessageId, content };
    const message = (await this.#requests.insist('POST', '/api/messages', body, () =>
      history.tries(clientMessageId, conversationId, content),
    )) as Message;
    history.acknowledges(this.name, clientMessageId, message);
    watch.acknowledged(moment, conversationId, message.changeSeq);
    this.#own.push({ id: message.id, clientMessageId, content });
    if (this.#own.length > maxAmendableMessages) this.#own.shift();
  }

  /** Marks as read what was delivered in a conversation. */
  async #read(conversationId: string): Promise<void> {
    const readSeq = this.#seen.get(conversationId) ?? 0;
    const body = { cursors: [{ conversationId, readSeq }] };
    const reply = (await this.#requests.insist('PUT', '/api/conversations/cursors', body)) as {
      cursors: { readSeq: number }[];
    };
    const { receipts, userId } = this.#options;
    receipts.acknowledges(conversationId, userId, readSeq, reply.cursors[0]?.readSeq ?? 0);
  }

  async #amend(): Promise<void> {
    const { history, random, watch } = this.#options;
    const { moment } = watch;
    const [own] = this.#own.splice(Math.floor(random() * this.#own.length), 1);
    if (!own) return;
    this.#sentCount += 1;
    const content = random() < eraseShare ? null : `${own.content}, or rather ${this.#sentCount}`;
    const amendment = history.amends(own.clientMessageId, content);
    if (!amendment) return;
    const path = `/api/messages/${own.id}`;
    const unknown = () => (amendment.unknown += 1);
    const message = (
      content === null
        ? await this.#requests.insist('DELETE', path, undefined, undefined, unknown)
        : await this.#requests.insist('PATCH', path, { content }, undefined, unknown)
    ) as Message;
    history.amendmentAcknowledged(this.name, amendment, message);
    watch.acknowledged(moment, message.conversationId, message.changeSeq);
    if (content !== null) this.#own.push(own);
  }

  async #react(): Promise<void> {
    const { history, random, userId, watch } = this.#options;
    const { moment } = watch;
    const [other] = this.#others.splice(Math.floor(random() * this.#others.length), 1);
    if (!other) return;
    const emoji = emojis[Math.floor(random() * emojis.length)] ?? null;
    const reaction = history.reacts(other.clientMessageId, userId, emoji);
    if (!reaction) return;
    const path = `/api/messages/${other.id}/reaction`;
    const unknown = () => (reaction.unknown += 1);
    const [method, body] = emoji === null ? (['DELETE', undefined] as const) : (['PUT', { emoji }] as const);
    // 404 is the answer if the author has erased the message meanwhile.
    const reply = (await this.#requests.insist(method, path, body, undefined, unknown, 404)) as Message | undefined;
    if (reply === undefined) {
      reaction.gone = true;
      return;
    }
    history.reactionAcknowledged(this.name, userId, reaction, reply);
    watch.acknowledged(moment, reply.conversationId, reply.changeSeq);
    this.#others.push(other);
  }

  #connect(): void {
    const { gatewayClients, token, signal, history, traffic, watch } = this.#options;
    if (signal.aborted) return;
    const gatewayClient = gatewayClients[(this.#requests.gatewayIndex + this.#failures) % gatewayClients.length];
    const socket = dial(gatewayClient?.url ?? '', token, {
      withinMs: quietMs,
      onFrame: (frame: ServerFrame) => {
        this.#lastFrameAt = performance.now();
        this.#onFrame(frame);
      },
      onRefused: (status) => {
        if (status === 401) history.violation(`${this.name}: the socket was refused with 401`);
      },
    });
    this.#socket = socket;
    this.#lastFrameAt = performance.now();
    const alive = setInterval(() => this.#watch(socket), quietMs / 2);
    const end = () => {
      this.#changes.stop();
      socket.terminate();
    };
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', (code) => {
      clearInterval(alive);
      signal.removeEventListener('abort', end);
      if (this.#open && !signal.aborted) {
        traffic.breaks += 1;
        watch.recordConnectionLoss(this.name, code);
      }
      this.#open = false;
      this.#synced = false;
      // Reconnecting at the longest pause stays within an account's connection limit.
      this.#requests.pauseAfter(Math.min(this.#failures + 1, maxBackoffFailures)).then(
        () => this.#connect(),
        () => undefined,
      );
      this.#failures += 1;
    });
  }

  /** A half-open connection looks healthy until a ping goes unanswered. */
  #watch(socket: WebSocket): void {
    const quiet = performance.now() - this.#lastFrameAt;
    if (quiet > 2 * quietMs) socket.terminate();
    else if (quiet > quietMs && socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ type: 'ping', id: 'alive', data: {} }));
    }
  }

  #onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case 'hello':
        this.#open = true;
        this.#failures = 0;
        return void this.#sync('a new connection');
      case 'sync_required':
        this.#synced = false;
        this.#options.watch.catchesUp(this.name, 'the server asked for it');
        return void this.#sync('on request');
      case 'new_message':
      case 'message_updated':
        if (frame.type === 'new_message') this.#remember(frame.data);
        this.#receivedMessages.seesLive(frame.data);
        return this.#advance(frame.data);
      case 'message_reaction': {
        const { data } = frame;
        return this.#advance(data, () =>
          this.#receivedMessages.seesReaction(data, this.completeUpTo(data.conversationId)),
        );
      }
      case 'receipt':
        this.#receiveReceipt(frame.data);
        return this.#advance(frame.data);
      case 'session_ended':
        return this.#options.history.violation(`${this.name} received session_ended`);
      default:
    }
  }

  #receiveReceipt({ conversationId, changeSeq, userId, readSeq }: Receipt): void {
    if (userId === undefined || readSeq === undefined) return;
    this.#options.receipts.receives(this.name, conversationId, userId, { changeSeq, readSeq });
  }

  #remember({ id, conversationId, seq, senderId, clientMessageId }: Message): void {
    this.#seen.set(conversationId, Math.max(seq, this.#seen.get(conversationId) ?? 0));
    if (senderId === this.#options.userId || clientMessageId === null) return;
    if (this.#others.every((other) => other.id !== id)) this.#others.push({ id, clientMessageId });
    if (this.#others.length > maxAmendableMessages) this.#others.shift();
  }

  #advance({ conversationId, changeSeq }: { conversationId: string; changeSeq: number }, take = () => {}): void {
    this.#options.watch.receives(this.name, conversationId, changeSeq);
    this.#changes.receive(conversationId, changeSeq, take);
  }

  /** Fetches what happened before the socket connected, until that succeeds or another socket replaces it. */
  async #sync(why: string): Promise<void> {
    const socket = this.#socket;
    for (let failures = 0; socket === this.#socket && socket?.readyState === WebSocket.OPEN; failures += 1) {
      const reply = await this.#requests.request(this.#requests.gatewayIndex + failures, 'GET', '/api/conversations');
      if (reply?.status !== 200) {
        await this.#requests.pauseAfter(failures).catch(() => undefined);
        continue;
      }
      // Changes behind a gap are fetched too, because nobody sends them again.
      for (const { id, changeSeq } of reply.body as { id: string; changeSeq: number }[]) {
        this.#changes.exists(id, changeSeq);
        if (changeSeq > this.completeUpTo(id)) this.#catchUp(id, why);
      }
      if (socket === this.#socket) this.#synced = true;
      return;
    }
  }

  #catchUp(id: string, why: string): void {
    if (this.#catching.has(id)) return;
    const { traffic, history, signal, watch } = this.#options;
    traffic.catchUps[why] = (traffic.catchUps[why] ?? 0) + 1;
    watch.catchesUp(this.name, `${why}, after change ${this.completeUpTo(id)} of ${id}`);
    this.#catching.add(id);
    this.#fetchChanges(id)
      .catch((error: unknown) => {
        if (!signal.aborted) history.violation(`${this.name}: ${String(error)}`);
      })
      .finally(() => this.#catching.delete(id));
  }

  /** Frames that arrive meanwhile may lie beyond the answer, so this repeats until every known change is fetched. */
  async #fetchChanges(id: string): Promise<void> {
    for (let more = true; more || this.completeUpTo(id) < this.#changes.highest(id);) {
      const highestChangeSeq = this.#changes.highest(id);
      const path = `/api/conversations/${id}/changes?since=${this.completeUpTo(id)}&limit=${limits.changesPerPage}`;
      const page = (await this.#requests.insist('GET', path)) as {
        changes: Change[];
        changeSeq: number;
        hasMore: boolean;
      };
      for (const change of page.changes) {
        if (change.type === 'message') this.#receivedMessages.sees(change.message);
      }
      this.#changes.caughtUp(id, page.changeSeq);
      this.#options.watch.knows(id, page.changeSeq);
      more = page.hasMore;
      if (!more && page.changeSeq < highestChangeSeq) {
        throw new Error(
          `it was notified of change ${highestChangeSeq} of ${id}, but the server has only ${page.changeSeq}`,
        );
      }
    }
  }
}
