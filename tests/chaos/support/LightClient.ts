import { randomUUID } from 'node:crypto';
import type { Message, ServerFrame } from '@nolo/api';
import { limits } from '@nolo/rules';
import { WebSocket } from 'ws';
import type { History } from '../../support/history.ts';
import type { Door, Reply } from './Door.ts';
import { ToldMessages } from './ToldMessages.ts';

interface Options {
  name: string;
  userId: string;
  token: string;
  /** The gateways; what one does not answer is asked of the next. */
  doors: readonly Door[];
  /** The one to begin with. */
  door: number;
  history: History;
  random: () => number;
  /** Ends every wait at once. */
  signal: AbortSignal;
  traffic: Traffic;
}

/** What all clients share. */
export interface Traffic {
  /** Messages and changes on their way, by the gateway that was asked first: one that is silent does not hold up both. */
  readonly inFlight: number[];
  /** Above this many at a gateway nobody begins anything new: more would only wait for each other. */
  readonly mostInFlight: number;
  /** Answers other than success, by status; 0 where none came. */
  readonly refusals: Record<string, number>;
  breaks: number;
  catchUps: number;
}

interface Own {
  id: string;
  clientMessageId: string;
  content: string;
}

type Change = { type: 'message'; message: Message } | { type: 'member' | 'conversation' };

/** How much of one conversation it says ahead of the acknowledgements. */
const mostPerConversation = 3;
const mostOwn = 20;
const amendShare = 0.06;
const eraseShare = 0.3;
const reactShare = 0.06;
const emojis = ['👍', '❤️', '😂', null] as const;
const againMs = [50, 100, 200, 400, 800];
/** A socket on which nothing comes for this long is asked, and has as long again to answer. */
const quietMs = 3_000;

/**
 * A client without a screen: it says and changes things over plain HTTP until it is told that they are stored, and takes
 * what comes over the socket as docs/realtime.md says, gaps closed by `changes`. It costs little, so there can be many.
 */
export class LightClient {
  readonly name: string;
  readonly #options: Options;
  readonly #conversations: string[] = [];
  /** Up to which changeSeq it is complete, by conversation. */
  readonly #complete = new Map<string, number>();
  /** The highest changeSeq that it was told of. */
  readonly #heard = new Map<string, number>();
  readonly #catching = new Set<string>();
  readonly #onTheWay = new Map<string, number>();
  readonly #told: ToldMessages;
  #own: Own[] = [];
  /** What others said lately. */
  #others: Omit<Own, 'content'>[] = [];
  #said = 0;
  #door: number;
  #socket: WebSocket | undefined;
  #open = false;
  #failures = 0;
  #synced = false;
  #heardAt = 0;
  /** Whatever it began and has not been answered. */
  pending = 0;

  constructor(options: Options) {
    this.name = options.name;
    this.#told = new ToldMessages(options.name, options.history);
    this.#options = options;
    this.#door = options.door % options.doors.length;
  }

  follow(conversationId: string): void {
    this.#conversations.push(conversationId);
  }

  start(): void {
    this.#connect();
  }

  /** Connected, and complete as far as it knows. */
  get whole(): boolean {
    return this.#open && this.#synced && this.#catching.size === 0;
  }

  completeUpTo(conversationId: string): number {
    return this.#complete.get(conversationId) ?? 0;
  }

  /** From now on it changes only what it says next. */
  forget(): void {
    this.#own = [];
    this.#others = [];
    this.#told.forget();
  }

  /** Has its turn: says or changes something, unless too much is on its way. */
  act(): void {
    const { traffic, random } = this.#options;
    if ((traffic.inFlight[this.#door] ?? 0) >= traffic.mostInFlight) return;
    if (random() < amendShare && this.#own.length > 0) {
      void this.#do(() => this.#amend());
      return;
    }
    if (random() < reactShare && this.#others.length > 0) {
      void this.#do(() => this.#react());
      return;
    }
    const conversationId = this.#conversations[this.#said % this.#conversations.length] ?? '';
    this.#said += 1;
    const onTheWay = this.#onTheWay.get(conversationId) ?? 0;
    if (onTheWay >= mostPerConversation) return;
    this.#onTheWay.set(conversationId, onTheWay + 1);
    void this.#do(() => this.#say(conversationId, `${this.name} ${this.#said}`)).finally(() => {
      this.#onTheWay.set(conversationId, (this.#onTheWay.get(conversationId) ?? 1) - 1);
    });
  }

  async #do(work: () => Promise<void>): Promise<void> {
    const { traffic, history, signal } = this.#options;
    const door = this.#door;
    traffic.inFlight[door] = (traffic.inFlight[door] ?? 0) + 1;
    this.pending += 1;
    try {
      await work();
      this.pending -= 1;
    } catch (error) {
      // Where it was told to stop, it stays pending, and nobody asks.
      if (!signal.aborted) history.violation(`${this.name}: ${String(error)}`);
    } finally {
      traffic.inFlight[door] = (traffic.inFlight[door] ?? 1) - 1;
    }
  }

  async #say(conversationId: string, content: string): Promise<void> {
    const { history } = this.#options;
    const clientMessageId = randomUUID();
    const body = { conversationId, clientMessageId, content };
    const message = (await this.#insist('POST', '/api/messages', body, () =>
      history.tries(clientMessageId, conversationId, content),
    )) as Message;
    history.acknowledges(this.name, clientMessageId, message);
    this.#own.push({ id: message.id, clientMessageId, content });
    if (this.#own.length > mostOwn) this.#own.shift();
  }

  async #amend(): Promise<void> {
    const { history, random } = this.#options;
    const [own] = this.#own.splice(Math.floor(random() * this.#own.length), 1);
    if (!own) return;
    this.#said += 1;
    const content = random() < eraseShare ? null : `${own.content}, or rather ${this.#said}`;
    const amendment = history.amends(own.clientMessageId, content);
    if (!amendment) return;
    const path = `/api/messages/${own.id}`;
    const unknown = () => (amendment.unknown += 1);
    const message =
      content === null
        ? await this.#insist('DELETE', path, undefined, undefined, unknown)
        : await this.#insist('PATCH', path, { content }, undefined, unknown);
    history.amendmentAcknowledged(this.name, amendment, message as Message);
    if (content !== null) this.#own.push(own);
  }

  async #react(): Promise<void> {
    const { history, random, userId } = this.#options;
    const [other] = this.#others.splice(Math.floor(random() * this.#others.length), 1);
    if (!other) return;
    const emoji = emojis[Math.floor(random() * emojis.length)] ?? null;
    const reaction = history.reacts(other.clientMessageId, userId, emoji);
    if (!reaction) return;
    const path = `/api/messages/${other.id}/reaction`;
    const unknown = () => (reaction.unknown += 1);
    const [method, body] = emoji === null ? (['DELETE', undefined] as const) : (['PUT', { emoji }] as const);
    // 404 is the answer where its author erased it meanwhile.
    const reply = await this.#insist(method, path, body, undefined, unknown, 404);
    if (reply === undefined) {
      reaction.gone = true;
      return;
    }
    history.reactionAcknowledged(this.name, userId, reaction, reply as Message);
    this.#others.push(other);
  }

  /**
   * Asks until it is done. `onUnknown` is told of each try after which nobody knows whether it happened. Undefined where
   * the answer is `refusal`, which is one as well.
   */
  async #insist(
    method: string,
    path: string,
    body?: unknown,
    onTry: () => unknown = () => {},
    onUnknown: () => unknown = () => {},
    refusal?: number,
  ): Promise<unknown> {
    const first = this.#door;
    for (let failures = 0; ; failures += 1) {
      onTry();
      const door = (first + failures) % this.#options.doors.length;
      const reply = await this.#ask(door, method, path, body);
      if (reply && reply.status >= 200 && reply.status < 300) {
        // The next begins where this was answered.
        this.#door = door;
        return reply.body;
      }
      const { status = 0 } = reply ?? {};
      if (status === refusal) return undefined;
      if (status >= 400 && status < 500 && status !== 429) {
        throw new Error(`${method} ${path} was answered with ${status} ${JSON.stringify(reply?.body)}`);
      }
      if (status !== 429) onUnknown();
      await this.#pause(failures);
    }
  }

  async #ask(door: number, method: string, path: string, body?: unknown): Promise<Reply | undefined> {
    const { doors, token, history, traffic } = this.#options;
    const reply = await doors[door % doors.length]?.ask(token, method, path, body).catch(() => undefined);
    const status = reply?.status ?? 0;
    if (status < 200 || status > 299) traffic.refusals[status] = (traffic.refusals[status] ?? 0) + 1;
    // An outage is answered as one. 500 would mean that somebody did not expect it.
    if (status === 500 || status === 401) {
      history.violation(`${this.name}: ${method} ${path} was answered with ${status} ${JSON.stringify(reply?.body)}`);
    }
    return reply;
  }

  /** Half of it is chance, so that those who failed together do not come back together. */
  #pause(failures: number): Promise<void> {
    const { random, signal } = this.#options;
    const ms = (againMs[Math.min(failures, againMs.length - 1)] ?? 0) * (0.5 + random());
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      };
      if (signal.aborted) return stop();
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  #connect(): void {
    const { doors, token, signal, history, traffic } = this.#options;
    if (signal.aborted) return;
    const door = doors[(this.#door + this.#failures) % doors.length];
    const socket = new WebSocket(`${(door?.url ?? '').replace('http', 'ws')}/ws`, {
      perMessageDeflate: false,
      handshakeTimeout: quietMs,
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.on('message', (raw: Buffer) => {
      this.#heardAt = performance.now();
      this.#onFrame(JSON.parse(raw.toString()) as ServerFrame);
    });
    socket.on('unexpected-response', (_request, response) => {
      if (response.statusCode === 401) history.violation(`${this.name}: the socket was refused with 401`);
      response.resume();
      socket.terminate();
    });
    socket.on('error', () => undefined);
    const watch = setInterval(() => this.#watch(socket), quietMs / 2);
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => {
      clearInterval(watch);
      signal.removeEventListener('abort', end);
      if (this.#open) traffic.breaks += 1;
      this.#open = false;
      this.#synced = false;
      // The longest of them is still less often than an account may connect.
      this.#pause(Math.min(this.#failures + 1, againMs.length)).then(
        () => this.#connect(),
        () => undefined,
      );
      this.#failures += 1;
    });
  }

  /** A half-open line looks healthy until something is asked of it. */
  #watch(socket: WebSocket): void {
    const quiet = performance.now() - this.#heardAt;
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
        return void this.#sync();
      case 'sync_required':
        this.#synced = false;
        return void this.#sync();
      case 'new_message':
      case 'message_updated':
        if (frame.type === 'new_message') this.#remember(frame.data);
        this.#told.seesLive(frame.data);
        return this.#advance(frame.data.conversationId, frame.data.changeSeq);
      case 'message_reaction':
        this.#told.seesReaction(frame.data, this.completeUpTo(frame.data.conversationId));
        return this.#advance(frame.data.conversationId, frame.data.changeSeq);
      case 'receipt':
        return this.#advance(frame.data.conversationId, frame.data.changeSeq);
      case 'session_ended':
        return this.#options.history.violation(`${this.name} was told that its session ended`);
      default:
    }
  }

  #remember({ id, senderId, clientMessageId }: Message): void {
    if (senderId === this.#options.userId || clientMessageId === null) return;
    if (this.#others.every((other) => other.id !== id)) this.#others.push({ id, clientMessageId });
    if (this.#others.length > mostOwn) this.#others.shift();
  }

  /** The next change, one that is known, or a sign that some are missing. */
  #advance(conversationId: string, changeSeq: number): void {
    const own = this.completeUpTo(conversationId);
    this.#heard.set(conversationId, Math.max(changeSeq, this.#heard.get(conversationId) ?? 0));
    if (changeSeq === own + 1) this.#complete.set(conversationId, changeSeq);
    else if (changeSeq > own) this.#catchUp(conversationId);
  }

  /** Asks for what happened before the socket was there, until that succeeded or there is another socket. */
  async #sync(): Promise<void> {
    const socket = this.#socket;
    for (let failures = 0; socket === this.#socket && socket?.readyState === WebSocket.OPEN; failures += 1) {
      const reply = await this.#ask(this.#door + failures, 'GET', '/api/conversations');
      if (reply?.status !== 200) {
        await this.#pause(failures).catch(() => undefined);
        continue;
      }
      // What is one ahead is asked for as well, for nobody will tell it again.
      for (const { id, changeSeq } of reply.body as { id: string; changeSeq: number }[]) {
        this.#heard.set(id, Math.max(changeSeq, this.#heard.get(id) ?? 0));
        if (changeSeq > this.completeUpTo(id)) this.#catchUp(id);
      }
      if (socket === this.#socket) this.#synced = true;
      return;
    }
  }

  #catchUp(id: string): void {
    if (this.#catching.has(id)) return;
    const { traffic, history, signal } = this.#options;
    traffic.catchUps += 1;
    this.#catching.add(id);
    this.#fetchChanges(id)
      .catch((error: unknown) => {
        if (!signal.aborted) history.violation(`${this.name}: ${String(error)}`);
      })
      .finally(() => this.#catching.delete(id));
  }

  /** Frames that come meanwhile may lie beyond the answer, so it goes on until it has all that it was told of. */
  async #fetchChanges(id: string): Promise<void> {
    for (let more = true; more || this.completeUpTo(id) < (this.#heard.get(id) ?? 0);) {
      const told = this.#heard.get(id) ?? 0;
      const path = `/api/conversations/${id}/changes?since=${this.completeUpTo(id)}&limit=${limits.changesPerPage}`;
      const page = (await this.#insist('GET', path)) as { changes: Change[]; changeSeq: number; hasMore: boolean };
      for (const change of page.changes) {
        if (change.type === 'message') this.#told.sees(change.message);
      }
      this.#complete.set(id, Math.max(this.completeUpTo(id), page.changeSeq));
      more = page.hasMore;
      if (!more && page.changeSeq < told) {
        throw new Error(`it was told of change ${told} of ${id}, and the server has only ${page.changeSeq}`);
      }
    }
  }
}
