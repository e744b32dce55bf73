import type { Conversation, Message, ServerFrame } from '@nolo/api';
import { createClient, type Chats, type Client, type ConnectSocket } from '@nolo/client';
import { createChats } from '@nolo/client/chat/openChats';
import { Headless } from '@nolo/testing';
import { WebSocket } from 'ws';
import type { LoadPerson } from '../../load/support/people.ts';
import { createHeadlessFetch } from './createHeadlessFetch.ts';

/** Milliseconds before a conversation that could not be loaded is requested again. */
const retryMs = 1_000;

interface Options {
  person: LoadPerson;
  /** Address of the gateway, or of what stands before several. */
  origin: string;
  /** Returns a number from 0 inclusive to 1 exclusive. */
  random: () => number;
  violation: (what: string) => void;
}

/** Times to recover after a lost connection. */
export interface RecoveryTimes {
  /** Milliseconds from the successful attempt to `hello`, and to the last missed message. */
  helloMs: number;
  wholeMs: number;
  /** Milliseconds of the same, from the loss of the connection. */
  awayMs: number;
  recoveredMs: number;
  missed: number;
  /** Close code of the lost connection. */
  code: number;
}

/**
 * Simulates one of very many clients: the chat engine that people use, without a screen, on connections that the test
 * can cut. Has all of its conversations open.
 */
export class SimulatedUserClient {
  readonly person: LoadPerson;
  /** Message ids by conversation and seq. */
  readonly seen = new Map<string, Map<number, string>>();
  readonly returns: RecoveryTimes[] = [];
  readonly #client: Client;
  readonly #chats: Chats;
  readonly #options: Options;
  redelivered = 0;
  /** Connection of its requests. */
  #caller: Headless | undefined;
  #socket: WebSocket | undefined;
  #isNetworkUp = true;
  #isListed = false;
  #stopped = false;
  #news = 0;
  #lost: { at: number; code: number } | undefined;
  #attemptAt = 0;
  #helloAt = 0;

  constructor(options: Options) {
    const { origin, person, random, violation } = options;
    this.#options = options;
    this.person = person;
    const token = person.tokens[0] ?? '';
    this.#client = createClient({
      origin,
      token,
      random,
      connectSocket: this.#connectSocket,
      fetch: createHeadlessFetch((method, path, body) => {
        if (!this.#isNetworkUp) return Promise.reject(new Error('There is no network.'));
        return this.#getCaller().gatewayClient.send(token, method, path, body);
      }),
    });
    this.#client.onSignedOut(() => violation(`${person.id} was signed out`));
    this.#chats = createChats(this.#client, person.id, {
      wrapApi: (api) => ({
        ...api,
        listConversations: async (cursor) => {
          const connection = this.#socket;
          const page = await api.listConversations(cursor);
          // Later, because the engine takes the rows first.
          setImmediate(() => this.#takeList(page.items, connection));
          return page;
        },
      }),
    });
    this.#chats.store.subscribe((state, before) => {
      for (const [id, { messages }] of Object.entries(state.timelines)) {
        const known = before.timelines[id]?.messages ?? [];
        // An unchanged beginning needs no second look.
        if (messages !== known) this.#take(id, messages, known[0] === messages[0] ? known.length : 0);
      }
      if (this.#lost && this.whole) this.#recordReturn(this.#lost);
    });
  }

  /** True if connected without any known message missing. */
  get whole(): boolean {
    return this.connected && this.#isListed && Object.keys(this.#state.conversations).every((id) => this.#has(id));
  }

  get connected(): boolean {
    return this.#state.connection === 'open';
  }

  get #state() {
    return this.#chats.store.getState();
  }

  start(): void {
    this.#chats.start();
  }

  /** Connects at once instead of on its own schedule. */
  retryNow(): void {
    this.#chats.retryConnection();
  }

  /** Cuts every TCP connection of this device, and blocks new ones until `mend`. */
  cut(): void {
    this.#isNetworkUp = false;
    this.#caller?.close();
    this.#caller = undefined;
    this.#socket?.terminate();
  }

  mend(): void {
    this.#isNetworkUp = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#chats.stop();
    this.#client.close();
    this.#caller?.close();
    this.#socket?.terminate();
  }

  #getCaller(): Headless {
    return (this.#caller ??= new Headless(this.#options.origin, this.person.tokens[0] ?? ''));
  }

  readonly #connectSocket: ConnectSocket = (_address, _headers, { onFrame, onClose }) => {
    this.#attemptAt = performance.now();
    if (!this.#isNetworkUp) {
      setImmediate(() => onClose(1006));
      return { send: () => undefined, close: () => undefined };
    }
    const socket = this.#getCaller().dial({
      onFrame: (frame: ServerFrame) => {
        this.#observe(frame);
        onFrame(frame);
      },
    });
    this.#socket = socket;
    this.#isListed = false;
    socket.on('close', (code) => {
      if (this.#socket === socket && this.connected && !this.#stopped) {
        this.#lost = { at: performance.now(), code };
        this.#news = 0;
      }
      onClose(code);
    });
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };

  #observe(frame: ServerFrame): void {
    if (frame.type === 'hello') this.#helloAt = performance.now();
    if (frame.type !== 'new_message' && frame.type !== 'message_updated') return;
    const timeline = this.#state.timelines[frame.data.conversationId];
    if (timeline?.status === 'ready' && frame.data.changeSeq <= timeline.changeSeq) this.redelivered += 1;
  }

  #takeList(rows: readonly Conversation[], connection: WebSocket | undefined): void {
    if (this.#stopped) return;
    for (const { id } of rows)
      if (this.#state.timelines[id]?.status !== 'ready')
        this.#chats.open(id).catch(() => this.#client.timers.after(retryMs, () => this.#chats.refresh()));
    // The answer to a request of an earlier connection may be older than what this one missed.
    if (connection !== this.#socket) return;
    this.#isListed = true;
    if (this.#lost && this.whole) this.#recordReturn(this.#lost);
  }

  /** True if a conversation is loaded with every change that its row knows of. */
  #has(id: string): boolean {
    const [timeline, row] = [this.#state.timelines[id], this.#state.conversations[id]];
    return timeline?.status === 'ready' && timeline.changeSeq >= (row?.changeSeq ?? 0);
  }

  #take(conversationId: string, messages: readonly Message[], from: number): void {
    let known = this.seen.get(conversationId);
    if (!known) this.seen.set(conversationId, (known = new Map()));
    for (const { id, seq } of messages.slice(from)) {
      const before = known.get(seq);
      if (before === undefined) this.#news += 1;
      else if (before !== id) this.#options.violation(`${conversationId} seq ${seq} is both ${before} and ${id}`);
      known.set(seq, id);
    }
  }

  #recordReturn(lost: { at: number; code: number }): void {
    this.#lost = undefined;
    const now = performance.now();
    this.returns.push({
      helloMs: this.#helloAt - this.#attemptAt,
      wholeMs: now - this.#attemptAt,
      awayMs: this.#helloAt - lost.at,
      recoveredMs: now - lost.at,
      missed: this.#news,
      code: lost.code,
    });
  }
}
