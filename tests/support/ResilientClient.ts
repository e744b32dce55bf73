import { closeCodes, nextCursorHeader, type Message, type ServerFrame } from '@nolo/api';
import { eventually, type TestUser } from '@nolo/testing';
import { WebSocket } from 'ws';
import { sendFailureOf } from '../../web/src/api/chatApi.ts';
import { ApiError, request } from '../../web/src/api/request.ts';
import { createChatEngine, type ChatEngine } from '../../web/src/state/chatEngine.ts';
import type { ChatApi, OpenSocket, Timers } from '../../web/src/state/ports.ts';
import type { History } from './history.ts';

interface Options {
  name: string;
  user: TestUser;
  history: History;
  /** 0 inclusive to 1 exclusive; from the seed of the run. */
  random: () => number;
}

/**
 * How often a client that talks has something to say, and how much it says ahead of the acknowledgements. Two devices of
 * one account stay below the 600 messages a minute that it may send.
 */
const talkEveryMs = 220;
const mostPending = 3;

/**
 * The web client's own logic, with a socket and requests of Node in place of the browser's. Whatever happens outside,
 * it is given no help: it has to notice and recover by itself.
 */
export class ResilientClient {
  readonly name: string;
  readonly user: TestUser;
  readonly engine: ChatEngine;
  readonly #history: History;
  readonly #random: () => number;
  readonly #sockets = new Set<WebSocket>();
  readonly #cancels = new Set<() => void>();
  readonly #conversations: string[] = [];
  #talking: NodeJS.Timeout | undefined;
  #said = 0;
  /** How often it lost its connection, and how many of its requests came to nothing. */
  breaks = 0;
  refusals = 0;
  #stopped = false;

  constructor({ name, user, history, random }: Options) {
    this.name = name;
    this.user = user;
    this.#history = history;
    this.#random = random;
    let id = 0;
    this.engine = createChatEngine({
      selfId: user.id,
      api: this.#api(),
      openSocket: this.#openSocket,
      timers: this.#timers(),
      newId: () => `${user.id.slice(0, -12)}${String((id += 1)).padStart(4, '0')}${this.#mark()}`,
      failureOf: sendFailureOf,
      onOtherFrame: () => undefined,
      onRefused: (certain) => {
        if (certain) history.violation(`${name} was signed out`);
      },
    });
    this.engine.store.subscribe((state, before) => {
      if (before.connection === 'open' && state.connection !== 'open' && !this.#stopped) this.breaks += 1;
      for (const [conversationId, timeline] of Object.entries(state.timelines)) {
        const known = before.timelines[conversationId]?.messages ?? [];
        if (known === timeline.messages) continue;
        // What begins as before needs no second look.
        const from = known[0] === timeline.messages[0] ? known.length : 0;
        history.shows(name, conversationId, timeline.messages, from);
      }
    });
  }

  /** Eight digits that tell this client's message ids from those of the account's other devices. */
  #mark(): string {
    return Buffer.from(this.name.padEnd(4, '-').slice(0, 4)).toString('hex');
  }

  async open(conversationIds: readonly string[]): Promise<void> {
    this.engine.start();
    await eventually(() => this.connection === 'open');
    for (const conversationId of conversationIds) {
      await this.engine.open(conversationId);
      this.#conversations.push(conversationId);
    }
  }

  get connection() {
    return this.engine.store.getState().connection;
  }

  get pending(): number {
    return this.#conversations.reduce((sum, id) => sum + this.#timeline(id).pending.length, 0);
  }

  shown(conversationId: string): readonly Message[] {
    return this.#timeline(conversationId).messages;
  }

  #timeline(conversationId: string) {
    return this.engine.store.getState().timelines[conversationId] ?? { messages: [], pending: [] };
  }

  /** Says something in one conversation after the other, until told to stop. */
  talk(): void {
    this.#talking ??= setInterval(() => {
      const conversationId = this.#conversations[this.#said % this.#conversations.length] ?? '';
      if (this.#timeline(conversationId).pending.length >= mostPending) return;
      this.say(conversationId);
    }, talkEveryMs);
  }

  say(conversationId: string): void {
    this.#said += 1;
    this.engine.send(conversationId, `${this.name} ${this.#said}`);
  }

  fallSilent(): void {
    clearInterval(this.#talking);
    this.#talking = undefined;
  }

  /** Loads what lies before the part of a conversation that is shown. */
  async loadAll(conversationId: string): Promise<void> {
    while (this.engine.store.getState().timelines[conversationId]?.hasOlder)
      await this.engine.loadOlder(conversationId);
  }

  stop(): void {
    this.#stopped = true;
    this.fallSilent();
    this.engine.stop();
    for (const cancel of this.#cancels) cancel();
    for (const socket of this.#sockets) socket.terminate();
  }

  #timers(): Timers {
    return {
      now: () => Date.now(),
      after: (ms, task) => {
        const cancel = () => {
          clearTimeout(timer);
          this.#cancels.delete(cancel);
        };
        const timer = setTimeout(() => {
          this.#cancels.delete(cancel);
          task();
        }, ms);
        this.#cancels.add(cancel);
        return cancel;
      },
      random: this.#random,
    };
  }

  readonly #openSocket: OpenSocket = ({ onFrame, onClose }) => {
    const { baseUrl, token } = this.user.api;
    const url = new URL('/ws', baseUrl);
    url.protocol = 'ws:';
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token ?? ''}` } });
    this.#sockets.add(socket);
    socket.on('message', (raw: Buffer) => {
      const frame = JSON.parse(raw.toString()) as ServerFrame;
      if (frame.type === 'new_message') this.#history.seesLive(this.name, frame.data);
      if (frame.type === 'session_ended') this.#history.violation(`${this.name} was told that its session ended`);
      onFrame(frame);
    });
    socket.on('unexpected-response', (_request, response) => {
      if (response.statusCode === 401) this.#history.violation(`${this.name}: the socket was refused with 401`);
      response.resume();
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.#sockets.delete(socket);
      if (code === closeCodes.sessionEnded) this.#history.violation(`${this.name}: the socket closed as signed out`);
      onClose(code);
    });
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };

  async #ask<T>(method: string, path: string, body?: unknown): Promise<{ body: T; headers: Headers }> {
    const { baseUrl, token } = this.user.api;
    const headers: Record<string, string> = { authorization: `Bearer ${token ?? ''}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const response = await request(new URL(path, baseUrl).href, init, { silent: true });
      // As the web client does: an answer that breaks off is a lost connection.
      const body = await response.json().catch((error: unknown) => {
        throw new ApiError(0, {}, 'The answer broke off.', undefined, error);
      });
      return { body: body as T, headers: response.headers };
    } catch (error) {
      const { status, code } = error as { status?: number; code?: string };
      this.refusals += 1;
      if (status === 401) this.#history.violation(`${this.name}: ${method} ${path} was answered with 401`);
      // An outage is answered as one. 500 would mean that somebody did not expect it.
      if (status === 500) this.#history.violation(`${this.name}: ${method} ${path} was answered with 500 ${code}`);
      throw error;
    }
  }

  #api(): ChatApi {
    const conversation = (id: string) => `/api/conversations/${id}`;
    const query = (values: Record<string, number | undefined>) =>
      Object.entries(values)
        .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
        .join('&');
    return {
      listConversations: async (cursor) => {
        const path = cursor === undefined ? '/api/conversations' : `/api/conversations?cursor=${cursor}`;
        const { body, headers } = await this.#ask<Awaited<ReturnType<ChatApi['listConversations']>>['items']>(
          'GET',
          path,
        );
        return { items: body, nextCursor: headers.get(nextCursorHeader) };
      },
      getConversation: async (id) => (await this.#ask<never>('GET', conversation(id))).body,
      listMessages: async (id, place) => {
        const { body } = await this.#ask<Awaited<ReturnType<ChatApi['listMessages']>>>(
          'GET',
          `${conversation(id)}/messages?${query({ ...place })}`,
        );
        for (const message of body.messages) this.#history.sees(this.name, message);
        return body;
      },
      listChanges: async (id, since) => {
        const { body } = await this.#ask<Awaited<ReturnType<ChatApi['listChanges']>>>(
          'GET',
          `${conversation(id)}/changes?${query({ since })}`,
        );
        for (const change of body.changes) if (change.type === 'message') this.#history.sees(this.name, change.message);
        return body;
      },
      sendMessage: async (message) => {
        const clientMessageId = message.clientMessageId ?? '';
        this.#history.tries(this.name, clientMessageId, message.conversationId, message.content);
        const { body } = await this.#ask<Message>('POST', '/api/messages', message);
        this.#history.acknowledges(this.name, clientMessageId, body);
        return body;
      },
      editMessage: async (id, content) => (await this.#ask<Message>('PATCH', `/api/messages/${id}`, { content })).body,
      deleteMessage: async (id) => (await this.#ask<Message>('DELETE', `/api/messages/${id}`)).body,
      moveCursor: async (id, cursor) => (await this.#ask<never>('PUT', `${conversation(id)}/cursor`, cursor)).body,
    };
  }
}
