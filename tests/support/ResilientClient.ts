import { randomUUID } from 'node:crypto';
import { closeCodes, nextCursorHeader, type Message, type ServerFrame } from '@nolo/api';
import { dial, eventually, type TestUser } from '@nolo/testing';
import { WebSocket } from 'ws';
import { toSendFailure } from '../../web/src/chat/storage/chatApi.ts';
import { ApiError, request } from '../../web/src/api/request.ts';
import { createChatEngine, type ChatEngine } from '@nolo/client/chat/chatEngine';
import type { ChatApi } from '@nolo/client/chat/ports';
import type { OpenSocket, Timers } from '@nolo/client/ports';
import type { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import type { ChaosHistory } from './ChaosHistory.ts';
import type { MessageAmendment } from './messageObservations.ts';

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
/** Number of its own latest messages that it may change, and how many messages pass between two changes. */
const maxAmendableMessages = 20;
const amendEvery = 9;
const amendRetryMs = 500;

/**
 * Runs the web client's own logic, with a socket and requests of Node in place of the browser's. It gets no help from
 * outside: it has to notice faults and recover by itself.
 */
export class ResilientClient {
  readonly name: string;
  readonly user: TestUser;
  readonly engine: ChatEngine;
  readonly #history: ChaosHistory;
  readonly #watch: LiveDeliveryChecker;
  readonly #random: () => number;
  readonly #sockets = new Set<WebSocket>();
  readonly #cancels = new Set<() => void>();
  readonly #conversations: string[] = [];
  /** Acknowledged messages of this device, because only one device at a time may change a message here. */
  readonly #own: Message[] = [];
  readonly #amendments = new Map<string, MessageAmendment>();
  #amending = 0;
  #talking: NodeJS.Timeout | undefined;
  #sentCount = 0;
  /** Numbers of lost connections, of catch-ups, and of failed requests. */
  breaks = 0;
  catchUps = 0;
  refusals = 0;
  #stopped = false;
  #away = false;

  constructor({ name, user, history, watch, random }: Options) {
    this.name = name;
    this.user = user;
    this.#history = history;
    this.#watch = watch;
    this.#random = random;
    this.engine = createChatEngine({
      selfId: user.id,
      api: this.#api(),
      openSocket: this.#openSocket,
      timers: this.#timers(),
      newId: () => randomUUID(),
      failureOf: toSendFailure,
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

  get connection() {
    return this.engine.store.getState().connection;
  }

  /** Disconnects the device from the network, or reconnects it. */
  setAway(away: boolean): void {
    this.#away = away;
    if (away) for (const socket of this.#sockets) socket.terminate();
    else this.engine.retryConnection();
  }

  /** Number of messages and changes without an acknowledgement. */
  get pending(): number {
    return this.#conversations.reduce((sum, id) => sum + this.#timeline(id).pending.length, this.#amending);
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
      if (this.#sentCount % amendEvery === 0) void this.#amend();
    }, talkEveryMs);
  }

  /** Edits or erases one of its own messages, and retries until that is acknowledged. */
  async #amend(): Promise<void> {
    const [message] = this.#own.splice(Math.floor(this.#random() * this.#own.length), 1);
    if (!message) return;
    const erases = this.#random() < 0.3;
    const content = erases ? null : `${message.content}, or rather ${this.#sentCount}`;
    const amendment = this.#history.amends(message.clientMessageId ?? '', content);
    if (!amendment) return;
    this.#amending += 1;
    this.#amendments.set(message.id, amendment);
    while (!this.#stopped && !amendment.acknowledged) {
      try {
        if (content === null) await this.engine.remove(message.id);
        else await this.engine.edit(message.id, content);
      } catch (error) {
        const { status = 0 } = error as { status?: number };
        if (status !== 429) amendment.unknown += 1;
        if (status >= 400 && status < 500 && status !== 429) {
          this.#history.violation(`${this.name} may not change its own message: ${String(error)}`);
          break;
        }
        await new Promise<void>((resolve) => this.#timers().after(amendRetryMs, resolve));
      }
    }
    this.#amendments.delete(message.id);
    this.#amending -= 1;
    // Edited messages may be changed again later; erased ones not.
    if (!erases) this.#own.push(message);
  }

  sendMessage(conversationId: string): void {
    this.#sentCount += 1;
    this.engine.send(conversationId, `${this.name} ${this.#sentCount}`);
  }

  fallSilent(): void {
    clearInterval(this.#talking);
    this.#talking = undefined;
  }

  /** Loads what precedes the shown part of a conversation, back to the message with this seq. */
  async loadBackTo(conversationId: string, seq: number): Promise<void> {
    const lacks = () => {
      const timeline = this.engine.store.getState().timelines[conversationId];
      return timeline?.hasOlder === true && (timeline.messages[0]?.seq ?? 0) > seq;
    };
    while (lacks()) await this.engine.loadOlder(conversationId);
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
    const socket = dial(baseUrl, token, {
      onFrame: (frame: ServerFrame) => {
        if (frame.type === 'new_message' || frame.type === 'message_updated')
          this.#history.seesLive(this.name, frame.data);
        const { conversationId, changeSeq } = frame.data as { conversationId?: string; changeSeq?: number };
        if (conversationId !== undefined && changeSeq !== undefined)
          this.#watch.receives(this.name, conversationId, changeSeq);
        if (frame.type === 'sync_required') this.#watch.catchesUp(this.name, 'the server asked for it');
        if (frame.type === 'session_ended') this.#history.violation(`${this.name} received session_ended`);
        onFrame(frame);
      },
      onRefused: (status) => {
        if (status === 401) this.#history.violation(`${this.name}: the socket was refused with 401`);
      },
    });
    this.#sockets.add(socket);
    if (this.#away) socket.terminate();
    socket.on('close', (code) => {
      this.#sockets.delete(socket);
      if (!this.#stopped) this.#watch.recordConnectionLoss(this.name, code);
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
    if (this.#away) throw new ApiError(0, {}, 'There is no network.');
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const response = await request(new URL(path, baseUrl).href, init, { silent: true });
      // An answer that breaks off is a lost connection, as in the web client.
      const body = await response.json().catch((error: unknown) => {
        throw new ApiError(0, {}, 'The response was cut off.', undefined, error);
      });
      return { body: body as T, headers: response.headers };
    } catch (error) {
      const { status, code } = error as { status?: number; code?: string };
      this.refusals += 1;
      if (status === 401) this.#history.violation(`${this.name}: ${method} ${path} was answered with 401`);
      // Outages have their own status. 500 would mean an unexpected error.
      if (status === 500) this.#history.violation(`${this.name}: ${method} ${path} was answered with 500 ${code}`);
      throw error;
    }
  }

  async #change(method: string, id: string, body?: { content: string }): Promise<Message> {
    const { moment } = this.#watch;
    const answer = await this.#ask<Message>(method, `/api/messages/${id}`, body);
    const amendment = this.#amendments.get(id);
    if (amendment) this.#history.amendmentAcknowledged(this.name, amendment, answer.body);
    this.#watch.acknowledged(moment, answer.body.conversationId, answer.body.changeSeq);
    return answer.body;
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
        const { body, headers } = await this.#ask<Message[]>(
          'GET',
          `${conversation(id)}/messages?${query({ ...place })}`,
        );
        for (const message of body) this.#history.sees(this.name, message);
        return { items: body, nextCursor: headers.get(nextCursorHeader) };
      },
      listChanges: async (id, since) => {
        this.catchUps += 1;
        const { body } = await this.#ask<Awaited<ReturnType<ChatApi['listChanges']>>>(
          'GET',
          `${conversation(id)}/changes?${query({ since })}`,
        );
        for (const change of body.changes) if (change.type === 'message') this.#history.sees(this.name, change.message);
        return body;
      },
      sendMessage: async (message) => {
        const clientMessageId = message.clientMessageId ?? '';
        const { moment } = this.#watch;
        this.#history.tries(clientMessageId, message.conversationId, message.content);
        const { body } = await this.#ask<Message>('POST', '/api/messages', message);
        this.#history.acknowledges(this.name, clientMessageId, body);
        this.#watch.acknowledged(moment, body.conversationId, body.changeSeq);
        this.#own.push(body);
        if (this.#own.length > maxAmendableMessages) this.#own.shift();
        return body;
      },
      editMessage: (id, content) => this.#change('PATCH', id, { content }),
      deleteMessage: (id) => this.#change('DELETE', id),
      getUser: async (id) => (await this.#ask<never>('GET', `/api/users/${id}`)).body,
      react: async (id, emoji) => {
        const path = `/api/messages/${id}/reaction`;
        const { body } = await (emoji === null
          ? this.#ask<Message>('DELETE', path)
          : this.#ask<Message>('PUT', path, { emoji }));
        return body;
      },
      pinMessage: async (id, pinned) =>
        (await this.#ask<Message>(pinned ? 'PUT' : 'DELETE', `/api/messages/${id}/pin`)).body,
      starMessage: () => Promise.reject(new Error('Starring messages is not supported here.')),
      hideMessage: () => Promise.reject(new Error('Hiding messages is not supported here.')),
      clearConversation: () => Promise.reject(new Error('Clearing conversations is not supported here.')),
      listStarred: () => Promise.resolve({ items: [], nextCursor: null }),
      changeSettings: async (id, change) =>
        (await this.#ask<never>('PATCH', `${conversation(id)}/settings`, change)).body,
      moveCursors: async (cursors) => (await this.#ask<never>('PUT', '/api/conversations/cursors', { cursors })).body,
    };
  }
}
